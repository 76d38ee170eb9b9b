#include "models/family_form.h"

#include "models/generalised_linear_form.h"
#include "models/regression_form.h"
#include "models/table_forms.h"

namespace daggnn {

namespace {

// Stored in files: new forms come last.
enum FormCode : Index { regression, configurations_of_parents, table, logit, counts, codes };

Distribution distribution_of(Index code) {
  if (code == counts) return Distribution::poisson;
  return code == table || code == logit ? Distribution::categorical : Distribution::normal;
}

FormCode code_of(const FamilyForm& form) {
  if (dynamic_cast<const RegressionForm*>(&form)) return regression;
  if (dynamic_cast<const ConfigurationsForm*>(&form)) return configurations_of_parents;
  if (dynamic_cast<const TableForm*>(&form)) return table;
  const auto& linear = dynamic_cast<const GeneralisedLinearForm&>(form);
  return linear.distribution() == Distribution::poisson ? counts : logit;
}

}  // namespace

void write_form(const FamilyForm& form, NumberWriter& writer) {
  writer.count(code_of(form));
  form.write(writer);
}

std::unique_ptr<FamilyForm> read_form(NumberReader& reader, const std::vector<Variable>& variables,
                                      Index child, const Parents& parents) {
  const Index code = reader.count_below(codes);
  if (distribution_of(code) != variables[child].distribution()) NumberReader::fail();
  switch (code) {
    case regression:
      return std::make_unique<RegressionForm>(reader, variables, child, parents);
    case configurations_of_parents:
      if (variables[child].width != 1) NumberReader::fail();
      return std::make_unique<ConfigurationsForm>(reader, variables, parents);
    case table:
      return std::make_unique<TableForm>(reader, variables, child, parents);
    default:
      return std::make_unique<GeneralisedLinearForm>(reader, variables, child, parents);
  }
}

}  // namespace daggnn

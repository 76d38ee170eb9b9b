// Enumerations by name. Each enumeration that users choose from has a table of names beside it:
//
//   constexpr Name<Penalty> penalty_names[] = {{"none", Penalty::none}, {"l1", Penalty::l1}};
#pragma once

#include <cstddef>
#include <string>

#include "base/types.h"

namespace daggnn {

template <class Enumeration>
struct Name {
  const char* name;
  Enumeration value;
};

// The enumerator called `name`; an unknown name is an error that names the argument.
template <class Enumeration, std::size_t count>
Enumeration from_name(const Name<Enumeration> (&names)[count], const std::string& argument,
                      const std::string& name) {
  std::string known;
  for (std::size_t k = 0; k < count; ++k) {
    if (name == names[k].name) return names[k].value;
    known += (k == 0          ? "\""
              : k + 1 < count ? ", \""
                              : " or \"") +
             std::string(names[k].name) + "\"";
  }
  throw Error("`" + argument + "` must be " + known + ", not \"" + name + "\".");
}

template <class Enumeration, std::size_t count>
std::string to_name(const Name<Enumeration> (&names)[count], Enumeration value) {
  for (const Name<Enumeration>& each : names) {
    if (each.value == value) return each.name;
  }
  throw Error("this value has no name");
}

}  // namespace daggnn

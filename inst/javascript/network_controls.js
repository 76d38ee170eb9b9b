// Adds to a page of visNetwork, above the network: its title, a field that finds a node, a slider that
// hides weak edges, and the legend.
// data: title, notes (lines of the legend), keys (label, colour, dashed), measure (what the slider is
// about: "strength", "share" or "weight", or null for no slider) and most (its largest value).
function(el, x, data) {
  var graph = document.getElementById("graph" + el.id);
  var network = graph.chart, nodes = graph.nodes, edges = graph.edges;
  var bar = document.createElement("div");
  bar.className = "daggnn-controls";
  bar.style.cssText = "font:14px sans-serif;padding:4px 8px";
  var add = function(parent, kind, text, style) {
    var element = document.createElement(kind);
    if (text) element.textContent = text;
    if (style) element.style.cssText = style;
    parent.appendChild(element);
    return element;
  };
  if (data.title) add(bar, "div", data.title, "font-weight:bold;font-size:18px;margin-bottom:4px");

  var find = document.createElement("input");
  find.type = "search";
  find.placeholder = "find a node";
  find.className = "daggnn-find";
  find.setAttribute("list", el.id + "-names");
  var names = document.createElement("datalist");
  names.id = el.id + "-names";
  nodes.forEach(function(node) {
    var option = document.createElement("option");
    option.value = node.id;
    names.appendChild(option);
  });
  find.addEventListener("input", function() {
    var text = find.value.toLowerCase();
    var found = text === "" ? [] : nodes.getIds().filter(function(id) {
      return id.toLowerCase().indexOf(text) >= 0;
    });
    network.selectNodes(found, true);
    var exact = nodes.getIds().filter(function(id) { return id === find.value; });
    var target = exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : null;
    if (target !== null) network.focus(target, {scale: 1, animation: false});
  });
  bar.appendChild(find);
  bar.appendChild(names);

  if (data.measure) {
    var label = document.createElement("label");
    label.style.marginLeft = "12px";
    var slider = document.createElement("input");
    slider.type = "range";
    slider.className = "daggnn-threshold";
    slider.min = 0;
    slider.max = data.most;
    slider.step = data.most / 100;
    slider.value = 0;
    slider.style.verticalAlign = "middle";
    var shown = document.createElement("span");
    shown.className = "daggnn-shown";
    var apply = function() {
      var least = Number(slider.value), count = 0, changes = [];
      edges.forEach(function(edge) {
        var hidden = edge.size !== null && edge.size < least;
        if (!hidden) count = count + 1;
        changes.push({id: edge.id, hidden: hidden});
      });
      edges.update(changes);
      shown.textContent = " " + data.measure + " from " + least.toFixed(2) + ": " + count +
        (count === 1 ? " edge" : " edges");
    };
    slider.addEventListener("input", apply);
    label.appendChild(slider);
    label.appendChild(shown);
    bar.appendChild(label);
    apply();
  }

  var legend = add(bar, "div", null, "margin-top:4px;color:#444444");
  [].concat(data.keys || []).forEach(function(key) {
    var line = "display:inline-block;width:28px;vertical-align:middle;margin:0 4px 0 0;border-top:3px " +
      (key.dashed ? "dashed " : "solid ") + key.colour;
    add(legend, "span", null, line);
    add(legend, "span", key.label, "margin-right:14px");
  });
  [].concat(data.notes || []).forEach(function(note) {
    add(legend, "span", note, "margin-right:14px");
  });
  el.parentNode.insertBefore(bar, el);
  // A small network fills the page, too, also when visNetwork fits it into a window of another size.
  var plain = network.fit.bind(network);
  var fit = network.fit = function() { plain({animation: false, maxZoomLevel: 1.8}); };
  network.once("afterDrawing", fit);
  // vis.js scales the network once more after it has told of the new size.
  network.on("resize", function() { setTimeout(fit, 100); });
  fit();
}

// Draws the pair matrix: chooses the view, colours it by the page's scheme, and says what the pointer is on.
(() => {
  "use strict";
  const NO_TEST = 0, NO_RESULT = 1, LOW = 800, MEDIAN = 1000, LAST = 1100; // permille of the median
  const { hosts, rails, views, figure } = JSON.parse(document.getElementById("pairs-data").textContent);
  const form = document.getElementById("pairs-choice");
  const place = document.getElementById("pairs-figure");
  const cell = document.getElementById("pairs-cell");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const mixed = (from, to, share) => {
    const part = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
    const hex = (at) => Math.round(part(from, at) + (part(to, at) - part(from, at)) * share).toString(16).padStart(2, "0");
    return `#${hex(1)}${hex(3)}${hex(5)}`;
  };
  const palette = () => {
    const [median, middle, low, outlier, none] = ["median", "middle", "low", "outlier", "none"].map((n) => style(`--heat-${n}`));
    const colour = (permille) => {
      if (permille === NO_TEST) return "#00000000";
      if (permille === NO_RESULT) return none;
      if (permille < LOW) return outlier;
      const share = Math.min(1, (permille - LOW) / (MEDIAN - LOW));
      return share < 0.5 ? mixed(low, middle, 2 * share) : mixed(middle, median, 2 * share - 1);
    };
    return Array.from({ length: LAST + 1 }, (_, permille) => colour(permille));
  };

  const chosen = () => {
    const rail = form.elements.rail.value === "worst" ? null : Number(form.elements.rail.value);
    return views.findIndex((view) => view.test === form.elements.test.value && view.rail === rail);
  };

  const drawn = async () => {
    place.style.maxWidth = `${Math.min(640, 150 + 56 * hosts.length)}px`;
    await Bokeh.embed.embed_item({ ...figure, target_id: place.id });
    const plot = Bokeh.documents.flatMap((document) => document.roots()).find((root) => root.name === "matrix");
    const cells = plot.renderers.find((renderer) => renderer.name === "cells");
    const columns = { ...cells.data_source.data };

    const paint = () => {
      for (const axis of [...plot.above, ...plot.left]) {
        Object.assign(axis, { major_label_text_color: style("--quiet"), axis_label_text_color: style("--ink") });
      }
      for (const grid of plot.center) grid.grid_line_color = style("--page");
      Object.assign(cells.glyph.color_mapper, { palette: palette(), low: 0, high: LAST + 1 });
    };
    const choose = () => {
      const at = chosen();
      for (const view of document.querySelectorAll(".view")) view.hidden = Number(view.dataset.view) !== at;
      cell.textContent = "Point at a cell for its figures.";
      if (at >= 0) cells.data_source.data = { ...columns, v0: columns[`v${at}`] }; // v0 is the column that is drawn
    };
    const said = (row, column) => {
      const at = chosen();
      const index = row * hosts.length + column;
      const worst = columns[`r${at}`];
      const rail = worst ? rails[worst[0][index]] : views[at].rail;
      const single = views.findIndex((view) => view.test === views[at].test && view.rail === rail);
      const own = single >= 0 ? single : at;
      const permille = columns[`v${own}`][0][index];
      const pair = `${hosts[row]} → ${hosts[column]}, rail ${rail}`;
      if (permille === NO_TEST) return row === column ? hosts[row] : `${hosts[row]} → ${hosts[column]}: not tested`;
      if (permille === NO_RESULT) return `${pair}: no result`;
      const { median_bps, rates } = views[own];
      const gbps = ((permille / 1000) * median_bps * (rates ? Math.min(rates[row], rates[column]) : 1)) / 1e9;
      const percent = permille / 10 - 100;
      return `${pair}: ${gbps.toPrecision(3)} Gb/s, ${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent).toFixed(1)} % from the median`;
    };
    const point = (event) => {
      const [row, column] = [Math.floor(event.y), Math.floor(event.x)];
      const inside = row >= 0 && column >= 0 && row < hosts.length && column < hosts.length;
      if (inside) cell.textContent = said(row, column);
    };

    paint();
    choose();
    form.hidden = false;
    form.addEventListener("change", choose);
    form.addEventListener("submit", (event) => event.preventDefault());
    plot.on_event("mousemove", point);
    plot.on_event("tap", point);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  };

  (window.fabricAudit ||= []).push(drawn());
})();

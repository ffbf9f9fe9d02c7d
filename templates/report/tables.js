// Long tables can be sorted and searched; without this they are plain tables.
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => document.documentElement.classList.toggle("dark", dark.matches);
  dark.addEventListener("change", theme);
  theme();

  const enriched = async () => {
    const { module, css } = JSON.parse(document.getElementById("tables-data").textContent);
    document.head.prepend(Object.assign(document.createElement("style"), { textContent: css }));
    const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
    const { ITable } = await import(address);
    URL.revokeObjectURL(address);
    for (const table of document.querySelectorAll("table[data-rich]")) {
      const caption = table.caption;
      new ITable(table, { order: [], pageLength: 25, autoWidth: false, layout: { topStart: "search", topEnd: null, bottomStart: "info", bottomEnd: "paging" } });
      if (caption) table.prepend(caption);
    }
  };

  (window.fabricAudit ||= []).push(enriched());
})();

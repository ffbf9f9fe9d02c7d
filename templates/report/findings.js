// Filters of the findings, by keyboard or pointer; and everything folded is unfolded on paper.
(() => {
  "use strict";
  const form = document.getElementById("filters");
  if (form) {
    const findings = [...document.querySelectorAll("article.finding")];
    const filters = [...form.querySelectorAll("[data-filter]")];
    const holds = (finding, filter) =>
      !filter.value || finding.dataset[filter.dataset.filter].split(" ").includes(filter.value);
    const apply = () => {
      for (const finding of findings) finding.hidden = !filters.every((filter) => holds(finding, filter));
      const shown = findings.filter((finding) => !finding.hidden).length;
      document.getElementById("filtered").textContent = `${shown} of ${findings.length} shown`;
    };
    form.hidden = false;
    form.addEventListener("change", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    apply();
  }

  // A link to a check or a finding opens what it leads to, and shows it if a filter hides it.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) form.reset();
    const folded = target.querySelector(":scope > details");
    if (folded) folded.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("#findings ~ article details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => closed.forEach((one) => (one.open = false)));

  const drawing = window.fabricAudit || [];
  Promise.allSettled(drawing).then((done) => {
    for (const one of done) if (one.reason) console.error(one.reason);
    document.documentElement.dataset.ready = "yes";
  });
})();

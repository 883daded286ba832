"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { files, labels, kinds } = data;
  const NS = "http://www.w3.org/2000/svg";
  const WIDE = 620, LEFT = 46, RIGHT = 14, TOP = 22, BOTTOM = 24;
  const $ = (id) => document.getElementById(id);

  const node = (tag, attributes = {}, ...inside) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  };
  const draw = (parent, tag, attributes = {}, text) => {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const short = (n) => {
    if (n >= 1e6) return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)}M`;
    if (n >= 1e4) return `${Math.round(n / 1e3)}k`;
    return n >= 1e3 ? `${(n / 1e3).toFixed(1)}k` : String(Math.round(n));
  };
  const ticks = (top) => {
    const rough = top / 4, power = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough) || 1;
    return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
  };

  function frame(title, subtitle, count, top, high) {
    const box = node("div", { class: "chart" }, node("h3", {}, title), node("p", {}, subtitle));
    const svg = draw(box, "svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "img", "aria-label": title });
    const x = (i) => LEFT + ((WIDE - LEFT - RIGHT) * i) / Math.max(count - 1, 1);
    const y = (v) => high - BOTTOM - ((high - TOP - BOTTOM) * v) / (top || 1);
    for (const v of ticks(top)) {
      draw(svg, "line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(v), y2: y(v), stroke: "var(--grid)" });
      draw(svg, "text", { x: LEFT - 7, y: y(v) + 4, "text-anchor": "end" }, short(v));
    }
    for (const v of ticks(Math.max(count - 1, 1)).filter(Number.isInteger)) {
      draw(svg, "text", { x: x(v), y: high - 7, "text-anchor": "middle" }, v + 1);
    }
    return { box, svg, x, y, high };
  }

  function area(xs, low, high) {
    const there = xs.map((x, i) => `${x.toFixed(1)},${high[i].toFixed(1)}`);
    const back = xs.map((x, i) => `${x.toFixed(1)},${low[i].toFixed(1)}`).reverse();
    return `M${there.join("L")}L${back.join("L")}Z`;
  }

  function follow(chart, count, tell) {
    const rule = draw(chart.svg, "line", { y1: TOP, y2: chart.high - BOTTOM, stroke: "var(--soft)", visibility: "hidden" });
    const tip = $("tip");
    chart.svg.addEventListener("pointermove", (event) => {
      const box = chart.svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDE;
      const i = Math.round(((at - LEFT) / (WIDE - LEFT - RIGHT)) * Math.max(count - 1, 1));
      if (i < 0 || i >= count) return;
      rule.setAttribute("x1", chart.x(i));
      rule.setAttribute("x2", chart.x(i));
      rule.setAttribute("visibility", "visible");
      const [head, ...rows] = tell(i);
      tip.replaceChildren(node("b", {}, head), ...rows.map(([name, value]) => node("div", {}, node("span", {}, name), node("span", {}, value))));
      tip.hidden = false;
      const size = tip.getBoundingClientRect();
      const left = event.clientX + 16 + size.width > innerWidth ? event.clientX - size.width - 16 : event.clientX + 16;
      tip.style.left = `${Math.max(left, 4)}px`;
      tip.style.top = `${Math.min(event.clientY + 14, innerHeight - size.height - 6)}px`;
    });
    chart.svg.addEventListener("pointerleave", () => {
      rule.setAttribute("visibility", "hidden");
      tip.hidden = true;
    });
  }

  const size = (run, i) => run.cached[i] + run.uncached[i];

  function context(run, top, tone) {
    const count = run.cached.length;
    const peak = Math.max(0, ...run.cached.map((_, i) => size(run, i)));
    const subtitle = labels.context_line.replace("{peak}", short(peak)).replace("{count}", run.applied.filter(Boolean).length);
    const chart = frame(`${labels.context} · ${run.policy}`, subtitle, count, top, 300);
    chart.box.style.borderTop = `3px solid ${tone}`;
    const xs = run.cached.map((_, i) => chart.x(i));
    let sums = xs.map(() => 0);
    kinds.forEach((kind) => {
      const values = run.categories[kind];
      if (!values) return;
      const next = sums.map((s, i) => s + values[i]);
      draw(chart.svg, "path", { d: area(xs, sums.map(chart.y), next.map(chart.y)), fill: `var(--${kind})` });
      sums = next;
    });
    run.applied.forEach((layers, i) => {
      if (!layers) return;
      const x = chart.x(i), y = TOP - 4;
      draw(chart.svg, "line", { x1: x, x2: x, y1: TOP, y2: chart.high - BOTTOM, stroke: "var(--ink)", "stroke-opacity": ".35", "stroke-dasharray": "2 3" });
      draw(chart.svg, "path", { d: `M${x - 4},${y - 7}h8l-4,7z`, fill: "var(--ink)" });
    });
    if (run.limit && run.limit <= top) {
      draw(chart.svg, "line", { x1: LEFT, x2: WIDE - RIGHT, y1: chart.y(run.limit), y2: chart.y(run.limit), stroke: "var(--bad)", "stroke-width": 1.5, "stroke-dasharray": "6 4" });
    }
    follow(chart, count, (i) => [
      `${labels.request} ${i + 1} · ${short(size(run, i))}`,
      ...kinds.filter((k) => run.categories[k] && run.categories[k][i]).map((k) => [labels[k], short(run.categories[k][i])]),
      [labels.cached, short(run.cached[i])],
      [labels.uncached, short(run.uncached[i])],
      ...(run.applied[i] ? [[labels.compaction, run.applied[i]]] : []),
    ]);
    return chart.box;
  }

  function costs(runs) {
    const count = Math.max(...runs.map((r) => r.cost.length));
    const top = Math.max(1, ...runs.map((r) => r.recall[r.recall.length - 1] || 0));
    const chart = frame(labels.cost, labels.cost_line, count, top * 1.06, 260);
    runs.forEach((run, n) => {
      const line = (values) => values.map((v, i) => `${i ? "L" : "M"}${chart.x(i).toFixed(1)},${chart.y(v).toFixed(1)}`).join("");
      draw(chart.svg, "path", { d: line(run.recall), fill: "none", stroke: `var(--p${n % 4})`, "stroke-dasharray": "4 4", "stroke-width": 1.4 });
      draw(chart.svg, "path", { d: line(run.cost), fill: "none", stroke: `var(--p${n % 4})`, "stroke-width": 2.2 });
      draw(chart.svg, "line", { x1: LEFT + 10, x2: LEFT + 30, y1: TOP + 10 + n * 17, y2: TOP + 10 + n * 17, stroke: `var(--p${n % 4})`, "stroke-width": 2.2 });
      const last = run.cost.length - 1;
      draw(chart.svg, "text", { x: LEFT + 37, y: TOP + 14 + n * 17, class: "strong" }, `${run.policy} ${short(run.cost[last] || 0)}`);
    });
    follow(chart, count, (i) => [
      `${labels.request} ${i + 1}`,
      ...runs.flatMap((r) => (i < r.cost.length ? [[r.policy, `${short(r.cost[i])} (${short(r.recall[i])})`]] : [])),
    ]);
    return chart.box;
  }

  function share(name, found) {
    const [visible, recoverable, lost] = found;
    const all = visible + recoverable + lost;
    const track = node("div", { class: "track", role: "img", "aria-label": `${labels.visible} ${visible}, ${labels.recoverable} ${recoverable}, ${labels.lost} ${lost}` });
    [[visible, "good"], [recoverable, "fair"], [lost, "bad"]].forEach(([n, tone]) => {
      if (n) track.append(node("span", { style: `flex:${n} 0 ${n ? "2px" : 0};background:var(--${tone})` }));
    });
    const said = all ? `${((100 * visible) / all).toFixed(1)} %` : "–";
    return [node("span", { class: "all" }, name), track, node("span", {}, `${said} · ${visible} / ${recoverable} / `, node("span", lost ? { class: "bad" } : {}, String(lost)))];
  }

  function needs(runs) {
    const box = node("div", { class: "chart" }, node("h3", {}, labels.needs), node("p", {}, labels.needs_line));
    runs.forEach((run, n) => {
      const name = node("h3", { style: `color:var(--p${n % 4});margin-top:14px` }, run.policy);
      box.append(name, node("div", { class: "need" }, ...share(labels.all, run.needs), ...share(labels.far, run.far)));
    });
    box.append(missing(runs));
    return box;
  }

  function missing(runs) {
    const count = Math.max(...runs.map((r) => r.recoverable.length));
    const high = 26 + runs.length * 34;
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `0 0 ${WIDE} ${high}`);
    const wide = Math.max((WIDE - 20) / Math.max(count, 1), 1.6);
    draw(svg, "text", { x: 0, y: 12 }, labels.missing_line);
    runs.forEach((run, n) => {
      const floor = 22 + (n + 1) * 34 - 4;
      const most = Math.max(4, ...run.recoverable.map((v, i) => v + run.lost[i]));
      draw(svg, "line", { x1: 0, x2: WIDE, y1: floor, y2: floor, stroke: `var(--p${n % 4})` });
      run.recoverable.forEach((v, i) => {
        const x = (i * (WIDE - 20)) / Math.max(count, 1), lost = (run.lost[i] * 26) / most, back = (v * 26) / most;
        if (back) draw(svg, "rect", { x, y: floor - back, width: wide, height: back, fill: "var(--fair)" });
        if (lost) draw(svg, "rect", { x, y: floor - back - lost, width: wide, height: lost, fill: "var(--bad)" });
      });
    });
    return svg;
  }

  function show(index) {
    const file = files[index], runs = file.runs;
    const peak = Math.max(1, ...runs.flatMap((r) => r.cached.map((_, i) => size(r, i))));
    const limit = Math.max(0, ...runs.map((r) => r.limit || 0));
    const top = Math.max(peak, limit < peak * 3 ? limit : 0) * 1.06;
    $("contexts").replaceChildren(...runs.map((run, n) => context(run, top, `var(--p${n % 4})`)));
    $("below").replaceChildren(costs(runs), needs(runs));
    const used = kinds.filter((k) => runs.some((r) => r.categories[k]));
    const swatch = (k) => node("span", {}, node("i", { style: `background:var(--${k})` }), labels[k]);
    $("legend").replaceChildren(
      ...used.map(swatch),
      node("span", {}, node("i", { class: "mark" }, "▼"), labels.compaction),
      ...(limit && limit <= top ? [node("span", {}, node("i", { class: "rule" }), labels.limit)] : []),
    );
    $("warnings").replaceChildren(...file.warnings.map((w) => node("li", {}, w)));
    $("file").value = String(index);
    $("previous").disabled = index === 0;
    $("next").disabled = index === files.length - 1;
  }

  function start() {
    files.forEach((file, i) => $("file").append(node("option", { value: i }, file.name)));
    const chosen = () => Number($("file").value);
    $("file").addEventListener("change", () => show(chosen()));
    $("previous").addEventListener("click", () => show(Math.max(chosen() - 1, 0)));
    $("next").addEventListener("click", () => show(Math.min(chosen() + 1, files.length - 1)));
    document.querySelectorAll("tr[data-file]").forEach((row) =>
      row.addEventListener("click", () => {
        show(Number(row.dataset.file));
        $("session").scrollIntoView({ behavior: "smooth" });
      }),
    );
    $("theme").hidden = false;
    $("theme").setAttribute("aria-label", labels.theme);
    $("theme").addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    });
    if (!files.length) return;
    $("session").hidden = false;
    show(data.first);
  }
  start();
})();

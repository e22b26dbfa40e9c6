"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const list = byId("scenarios"), find = byId("find"), shown = byId("shown"), keys = byId("keys");
  const groups = [...list.children], height = 43;
  const rows = [...list.getElementsByClassName("s")];
  const size = Math.ceil(rows.length / groups.length);
  let order = rows;
  const states = { p: "passed", f: "failed", k: "flaky", r: "recorded", e: "scored", n: "notrun" };
  document.documentElement.classList.add("js");

  // Opening: what is inside of most scenarios is compressed in an attribute.
  const waiting = new Map();
  const inflate = async (row) => {
    const body = document.createElement("div");
    body.className = "b";
    try {
      const bytes = Uint8Array.from(atob(row.dataset.z), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      body.innerHTML = await new Response(stream).text();
    } catch {
      body.textContent = "This browser cannot show the steps; newer ones can.";
    }
    delete row.dataset.z;
    row.append(body);
  };
  const fill = (row) => {
    if (!waiting.has(row)) waiting.set(row, row.dataset.z ? inflate(row) : Promise.resolve());
    return waiting.get(row);
  };
  list.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.dataset.z) fill(event.target);
  }, true);

  // Searching: one text a scenario, made once.
  let index;
  const makeIndex = () => index ??= rows.map((row) => {
    const label = row.querySelector(".l");
    const text = label.textContent.toLowerCase();
    // By tag: ".l > i" takes Chromium 20 times as long as everything else here.
    const tags = [...label.getElementsByTagName("i")].map((tag) => tag.textContent.toLowerCase());
    return { row, text, tags, state: states[row.classList[1]] };
  });
  const condition = (word) => {
    if (word.length > 1 && word[0] === "-") {
      const inner = condition(word.slice(1));
      return (entry) => !inner(entry);
    }
    if (word.startsWith("s:")) return (entry) => entry.state.startsWith(word.slice(2));
    if (word[0] === "@") return (entry) => entry.tags.some((tag) => tag.startsWith(word));
    return (entry) => entry.text.includes(word);
  };
  const filter = () => {
    const query = find.value.trim().toLowerCase();
    const conditions = query.split(/\s+/).filter(Boolean).map(condition);
    let count = 0;
    for (const entry of makeIndex()) {
      const isHidden = !conditions.every((holds) => holds(entry));
      if (entry.row.hidden !== isHidden) entry.row.hidden = isHidden;
      if (!isHidden) count += 1;
    }
    measure();
    shown.textContent = query ? `${count} of ${rows.length} scenarios` : "";
    for (const button of document.querySelectorAll("[data-q]")) {
      button.setAttribute("aria-pressed", String(button.dataset.q === query));
    }
  };
  // A group that is not in sight has the height that it is said to have.
  const measure = () => {
    for (const group of groups) {
      let count = 0;
      for (const row of group.children) if (!row.hidden) count += 1;
      if (group.hidden !== (count === 0)) group.hidden = count === 0;
      if (group.dataset.count === String(count)) continue;
      group.dataset.count = count;
      group.style.containIntrinsicSize = `auto ${count * height}px`;
    }
  };
  const search = (text) => { find.value = text; filter(); };
  find.addEventListener("input", filter);

  // Order: that of the suite, or by duration.
  const seconds = (row) => {
    const time = row.querySelector("time");
    return time ? parseFloat(time.dateTime.slice(2)) : -1;
  };
  const sort = (button) => {
    const isSlowest = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isSlowest));
    const times = new Map(isSlowest ? rows.map((row) => [row, seconds(row)]) : []);
    order = isSlowest ? [...rows].sort((a, b) => times.get(b) - times.get(a)) : rows;
    groups.forEach((group, number) => {
      group.replaceChildren(...order.slice(number * size, (number + 1) * size));
    });
    measure();
  };

  // Links: path, then ':' and the address of a step.
  const reveal = async () => {
    const id = location.hash.slice(1);
    const row = byId(id.split(":")[0]);
    if (!row || !rows.includes(row)) return;
    if (row.hidden) search("");
    if (row.tagName === "DETAILS") {
      await fill(row);
      row.open = true;
    }
    const target = byId(id) ?? row;
    for (const place of list.querySelectorAll(".here")) place.classList.remove("here");
    // ":target" does not hold of what was not there when the page was opened.
    if (target !== row) target.classList.add("here");
    for (let place = target; place !== list; place = place.parentElement) {
      if (place.tagName === "DETAILS") place.open = true;
    }
    const inner = target.querySelector(":scope > details");
    if (inner) inner.open = true;
    target.querySelector("summary")?.focus({ preventScroll: true });
    // What comes into view gets its size only then, and moves what is below it.
    for (let frame = 0; frame < 3; frame += 1) {
      target.scrollIntoView({ block: "start" });
      await new Promise(requestAnimationFrame);
    }
  };
  addEventListener("hashchange", reveal);

  const copy = async (button) => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.q !== undefined) search(button.dataset.q);
    else if (button.id === "slow") sort(button);
    else if (button.id === "help") keys.showModal();
    else if (button.className === "copy") copy(button);
  });

  // Keys.
  const move = (step, isWanted) => {
    const wanted = order.filter((row) => !row.hidden && isWanted(row));
    if (wanted.length === 0) return;
    const here = order.indexOf(document.activeElement?.closest(".s"));
    const places = new Map(order.map((row, place) => [row, place]));
    const next = step > 0
      ? wanted.find((row) => places.get(row) > here) ?? wanted[0]
      : wanted.findLast((row) => places.get(row) < here) ?? wanted.at(-1);
    next.querySelector("summary").focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
  const isDetails = (row) => row.tagName === "DETAILS";
  const actions = {
    "/": () => { find.focus(); find.select(); },
    "?": () => keys.showModal(),
    j: () => move(1, isDetails),
    k: () => move(-1, isDetails),
    f: () => move(1, (row) => row.classList.contains("f")),
    c: () => { for (const row of rows) if (row.open) row.open = false; },
    Escape: () => { search(""); find.blur(); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (event.target === find && event.key !== "Escape") return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  if (location.hash) reveal();
  (window.requestIdleCallback ?? setTimeout)(makeIndex);
})();

// Searches the pages in the browser alone, so that it works from a folder of files, too.
"use strict";
(() => {
  const root = document.currentScript.dataset.root;
  const input = document.querySelector("header input");
  const list = document.getElementById("results");
  let index = null, chosen = -1;

  const words = text => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];

  // The index is large, so it is loaded with the first search.
  const load = () => {
    if (index !== null) return;
    index = [];
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = () => {
      index = window.flowSections.map(([page, heading, address, weight, text]) => ({
        page, heading, address, weight, text: words(text),
        // Nearly everything is about flow.
        pageWords: words(page), headingWords: words(heading).filter(word => word !== "flow"),
      }));
      show();
    };
    document.head.append(script);
  };

  // The last word may be unfinished; a whole word is worth more than its beginning.
  const match = (list, term) => {
    let best = 0;
    for (const word of list) {
      if (word === term || word === term + "s" || word + "s" === term) return 2;
      if (word.startsWith(term)) best = 1;
    }
    return best;
  };

  const score = (section, terms) => {
    let sum = 0;
    for (const term of terms) {
      const inHeading = match(section.headingWords, term), inPage = match(section.pageWords, term);
      const count = section.text.reduce((sum, word) => sum + (word === term ? 1 : word.startsWith(term) ? 0.3 : 0), 0);
      if (inHeading + inPage === 0 && count === 0) return 0;
      sum += inHeading * 12 + inPage * 4 + 6 * count / (count + 3);
    }
    // A heading of exactly the terms, in their order, is about them; one with little else, nearly.
    const isExact = section.headingWords.join(" ") === terms.join(" ");
    const rest = Math.max(0, section.headingWords.length - terms.length);
    return (sum + (isExact ? 24 : 6 * terms.length / (terms.length + rest))) * section.weight;
  };

  const search = text => {
    const terms = words(text);
    if (terms.length === 0) return [];
    return index.map(section => ({section, score: score(section, terms)}))
      .filter(found => found.score > 0)
      .sort((a, b) => b.score - a.score).slice(0, 12).map(found => found.section);
  };

  const item = section => {
    const link = document.createElement("a"), place = document.createElement("small");
    link.href = root + section.address;
    link.textContent = section.heading;
    place.textContent = section.page;
    if (section.page !== section.heading) link.append(place);
    const row = document.createElement("li");
    row.append(link);
    return row;
  };

  const show = () => {
    chosen = -1;
    const found = search(input.value);
    list.replaceChildren(...found.map(item));
    if (found.length === 0 && words(input.value).length > 0 && index.length > 0) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "nothing found";
      list.append(none);
    }
  };

  const choose = step => {
    const rows = list.querySelectorAll("li:not(.none)");
    if (rows.length === 0) return;
    rows[chosen]?.classList.remove("chosen");
    chosen = (chosen + step + rows.length) % rows.length;
    rows[chosen].classList.add("chosen");
    rows[chosen].scrollIntoView({block: "nearest"});
  };

  input.addEventListener("focus", load);
  input.addEventListener("input", () => { load(); show(); });
  input.addEventListener("keydown", event => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      input.value = "";
      show();
    }
  });
  input.form.addEventListener("submit", event => {
    event.preventDefault();
    (list.querySelector(".chosen a") || list.querySelector("a"))?.click();
  });
  document.addEventListener("click", event => {
    if (!input.form.contains(event.target)) list.replaceChildren();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement === document.body) {
      event.preventDefault();
      input.focus();
    }
  });
  // On a narrow screen the menu starts closed.
  if (matchMedia("(max-width: 55rem)").matches) document.querySelector("nav .menu").open = false;
})();

// Visual checks. Each function runs in the page and returns a line for each fault.

/** Elements that make the page wider than the screen. */
export function overflow() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = (it) => it && (getComputedStyle(it).overflowX !== "visible" || scrolls(it.parentElement));
  const wide = [...document.body.querySelectorAll("*")].filter((it) => it.getBoundingClientRect().right > width + 1 && !scrolls(it.parentElement));
  return [`${document.documentElement.scrollWidth} > ${width}`, ...wide.slice(0, 5).map((it) => it.outerHTML.slice(0, 120))];
}

/** Tables of which a column is cut. */
export function cut() {
  const wide = [...document.querySelectorAll(".scroll, .bump")].filter((it) => it.scrollWidth > it.clientWidth + 1);
  return wide.map((it) => `${it.scrollWidth} > ${it.clientWidth}: ${it.innerHTML.slice(0, 80)}`);
}

/** Stages of a time bar whose colour another one has. */
export function sameColour() {
  const colours = [...document.querySelectorAll(".bar.time")].flatMap((bar) => {
    const all = [...bar.querySelectorAll(".stage")].map((it) => getComputedStyle(it).backgroundColor);
    return new Set(all).size === all.length ? [] : [all.join(" ")];
  });
  return colours;
}

/** Controls without an accessible name. */
export function unnamed() {
  const name = (it) => it.getAttribute("aria-label") || it.labels?.[0]?.textContent || it.textContent.trim() || it.title;
  const all = [...document.querySelectorAll("a, button, input, select, [role=button], [role=tab]")];
  return all.filter((it) => !name(it)).map((it) => it.outerHTML.slice(0, 120));
}

/** Text whose contrast is below 4.5 (WCAG 2, AA). */
export function faint() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const pixel = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const it of colours) {
      canvas.fillStyle = it;
      canvas.fillRect(0, 0, 1, 1);
    }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = (data) => {
    const [r, g, b] = [...data].slice(0, 3).map((it) => (it /= 255) <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (it) => (it ? [...behind(it.parentElement), getComputedStyle(it).backgroundColor] : ["white"]);
  const own = (it) => [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const seen = (it) => it.checkVisibility() && it.getBoundingClientRect().width > 1;
  const worst = new Map();
  for (const it of document.querySelectorAll("body *:not(svg *, script, style, option, noscript)")) {
    if (!own(it) || !seen(it)) continue;
    const background = behind(it);
    const [a, b] = [light(pixel([...background, getComputedStyle(it).color])), light(pixel(background))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const kind = `${it.tagName.toLowerCase()}.${it.className}`;
    if (ratio < 4.5) worst.set(kind, `${kind} ${ratio.toFixed(2)}: ${it.textContent.trim().slice(0, 40)}`);
  }
  return [...worst.values()];
}

"""Find headings in which the accents of capital letters are cut off or touch the line above."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The script puts an accent on every letter that can have one in Spanish. Then it compares the
# painted area of each line in the heading font with the line above and with the boxes that clip it.
CUT_OFF = """async () => {
    await document.fonts.ready;
    const flat = new CSSStyleSheet();
    flat.replaceSync("* { rotate: none !important; }"); // a card that lies aslant has no lines
    document.adoptedStyleSheets = [flat];
    const ACCENTED = { A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú", N: "Ñ" };
    const accented = (text) => text.replace(/[aeioun]/gi, (letter) => {
        const capital = ACCENTED[letter.toUpperCase()];
        return letter === letter.toUpperCase() ? capital : capital.toLowerCase();
    });
    const HAIR = 0.75; // pixels
    const UNSEEN = "script, style, template, noscript, svg, option";
    const name = (box) => box.localName + [...box.classList].map((one) => `.${one}`).join("");
    const pen = document.createElement("canvas").getContext("2d");
    const cuts = ({ overflowY, clipPath, contain }) =>
        overflowY !== "visible" || clipPath !== "none" || /paint|content|strict/.test(contain);
    const SIZE = 1000; // at which letters are measured, since browsers round what they answer
    // Computed sizes are those before `zoom`, boxes those after it.
    const lines_of = (text, style, capitals) => {
        pen.font = `${style.fontStyle} ${style.fontWeight} ${SIZE}px ${style.fontFamily}`;
        const drawn = pen.measureText(capitals);
        const size = (parseFloat(style.fontSize) * text.parentElement.currentCSSZoom) / SIZE;
        const [above, below] = [drawn.fontBoundingBoxAscent, drawn.fontBoundingBoxDescent]
            .map((part) => Math.round(size * part));
        const range = document.createRange();
        range.selectNodeContents(text);
        const lines = new Map();
        for (const { top, height } of range.getClientRects()) {
            const baseline = top + (height * above) / (above + below);
            const ink = baseline - size * drawn.actualBoundingBoxAscent;
            lines.set(Math.round(baseline), { baseline, ink });
        }
        return [...lines.values()].sort((one, other) => one.baseline - other.baseline);
    };
    const faults = new Set();
    let looked = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
        const host = text.parentElement;
        const was = text.nodeValue;
        if (!/\\p{L}/u.test(was) || host.closest(UNSEEN)) continue;
        const style = getComputedStyle(host);
        const { width, height } = host.getBoundingClientRect();
        if (!/^.?Fjalla One/.test(style.fontFamily) || Math.min(width, height) <= 2) continue;
        if (!host.checkVisibility({ visibilityProperty: true })) continue;
        const capitals = accented(style.textTransform === "uppercase" ? was.toUpperCase() : was);
        if (capitals === was) continue;
        looked += 1;
        text.nodeValue = capitals;
        const lines = lines_of(text, style, capitals);
        text.nodeValue = was;
        const complain = (what) => faults.add(`${name(host)} ${what}: ${was.trim()}`);
        lines.slice(1).forEach(({ ink }, place) => {
            if (ink < lines[place].baseline - HAIR) complain("touches the line above");
        });
        for (let box = host; lines.length && box !== document.body; box = box.parentElement) {
            const shape = getComputedStyle(box);
            if (!cuts(shape)) continue;
            if (shape.clipPath === "inset(50%)") break; // only for screen readers
            const border = parseFloat(shape.borderTopWidth) * box.currentCSSZoom;
            const edge = box.getBoundingClientRect().top + border;
            if (lines[0].ink < edge - HAIR) complain(`cut off by ${name(box)}`);
            if (!/clip|hidden/.test(shape.overflowY)) break; // what is inside can be scrolled
        }
    }
    document.adoptedStyleSheets = [];
    return [looked, [...faults]];
}"""


def cut_off(page: Page) -> list[str]:
    """Return the texts in the heading font whose accents would be cut off or touch the line
    above.
    """
    looked, faults = page.evaluate(CUT_OFF)
    assert looked, f"{page.url} has no text in the heading face."
    found: list[str] = faults
    return found

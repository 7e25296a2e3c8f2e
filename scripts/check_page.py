"""Looks at pages of `sim report` in headless Chromium: check_page.py [--pictures FOLDER] [--games N] PAGE…

Fails on any of these:
- an error or a warning of the browser,
- a request that leaves the page,
- a chart that is missing, shown twice, empty or without words,
- labels of a chart that are cut or lie over each other,
- a page wider than the window,
- text with too little contrast,
- a game to step through that shows no step or several, or that the keyboard does not lead through.

With --games every page must have so many games to step through. Where there is no browser it ends with 3, whatever else fails with
another code.

With --pictures it keeps pictures of every page: at the width of a desk and of a telephone, light and dark.
"""

import argparse
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

#: The first that is there is taken.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: The exit code where none is there. A broken environment must not pass for that.
NO_BROWSER = 3
WIDTHS = {"desk": 1280, "telephone": 390}
#: For how many milliseconds a page may load: long, as tests may go on beside this.
PATIENCE = 120_000

#: Looks at charts, width and contrast, and gives a list of faults.
LOOK = """() => {
    const wrong = [];
    const all = [...document.querySelectorAll('figure')];
    if (!all.length) wrong.push('there is no chart');
    const shown = (figure) => [...figure.querySelectorAll('svg')].filter((chart) => chart.getBoundingClientRect().width);
    for (const figure of all)
        if (shown(figure).length != 1) wrong.push(`${shown(figure).length} charts are shown of ${figure.textContent.slice(0, 40)}`);
    const charts = all.flatMap(shown);
    for (const chart of charts) {
        const name = chart.getAttribute('aria-label') || '';
        const box = chart.getBoundingClientRect();
        if (!name) wrong.push('a chart has no text alternative');
        if (box.width < 200 || box.height < 40) wrong.push(`too small: ${name}`);
        if (chart.querySelectorAll('rect, polyline, polygon, circle').length < 2) wrong.push(`empty: ${name}`);
        for (const text of chart.querySelectorAll('text')) {
            const inside = text.getBoundingClientRect();
            if (inside.left < box.left - 2 || inside.right > box.right + 2) wrong.push(`'${text.textContent.trim()}' is cut: ${name}`);
        }
        const words = [...chart.querySelectorAll('text')].map((text) => [text.textContent.trim(), text.getBoundingClientRect()]);
        for (const [i, [one, a]] of words.entries())
            for (const [other, b] of words.slice(i + 1)) {
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 1 && high > 4) wrong.push(`'${one}' lies over '${other}': ${name}`);
            }
    }
    for (const section of document.querySelectorAll('section:not(#findings)'))
        if (!section.querySelector('table')) wrong.push(`no table in ${section.querySelector('h2').textContent}`);
    if (document.documentElement.scrollWidth > window.innerWidth) wrong.push('the page is wider than the window');
    const light = (color) => {
        const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
        for (; element; element = element.parentElement) {
            const color = getComputedStyle(element).backgroundColor;
            if (!/, 0\\)$|transparent/.test(color)) return color;
        }
        return 'rgb(255, 255, 255)';
    };
    const channels = (color) => color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    // A text of a chart may stand on shapes, through which the page shines.
    const under = (text) => {
        const box = text.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        let color = channels(ground(text));
        for (const shape of text.closest('svg').querySelectorAll('rect:not([fill=none])')) {
            const place = shape.getBoundingClientRect();
            if (x < place.left || x > place.right || y < place.top || y > place.bottom) continue;
            const style = getComputedStyle(shape);
            const [ink, share] = [channels(style.fill), style.opacity * style.fillOpacity];
            color = color.map((channel, i) => channel + share * (ink[i] - channel));
        }
        return `rgb(${color})`;
    };
    for (const element of document.querySelectorAll('h1, h2, h3, p, a:not(svg a), td, th, summary, figcaption, svg text, li, pre, footer')) {
        if (!element.textContent.trim() || !element.getClientRects().length) continue;
        const style = getComputedStyle(element);
        const [a, b] = (element.closest('svg') ? [style.fill, under(element)] : [style.color, ground(element)]).map(light);
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) { wrong.push(`contrast ${contrast.toFixed(1)}: ${element.textContent.trim().slice(0, 40)}`); break; }
    }
    return wrong;
}"""


#: The names of the steps that are shown of every game.
STEPS = """() => [...document.querySelectorAll('.course')].map((course) =>
    [...course.querySelectorAll('.step')].filter((step) => step.offsetParent).map((step) => step.id))"""


def stepping(page, games: int | None) -> list[str]:
    """What is wrong with the games to step through, and with their number where it is given."""
    courses = page.evaluate(STEPS)
    wrong = [f"{len(shown)} steps of a game are shown at once" for shown in courses if len(shown) != 1]
    if games not in (None, len(courses)):
        wrong.append(f"there are {len(courses)} games to step through, not {games}")
    for place, first in [(place, shown[0]) for place, shown in enumerate(courses) if shown]:
        page.locator(f"#{first} nav a").first.focus()
        page.keyboard.press("Enter")
        second = page.evaluate(STEPS)[place]
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        if second == [first] or page.evaluate(STEPS)[place] != [first]:
            wrong.append(f"the keyboard does not lead from {first} on and back")
        # A mark has two links. The third mark, or the last of fewer.
        marks = page.locator(".course").nth(place).locator("figure a")
        if not marks.count():
            wrong.append(f"the curve of {first} has no marks")
            continue
        mark = marks.nth(min(4, marks.count() - 1))
        target = mark.get_attribute("href")
        mark.focus()
        page.keyboard.press("Enter")
        if not page.url.endswith(target) or page.evaluate(STEPS)[place] != [target[1:]]:
            wrong.append(f"the mark {target} of a curve leads to {page.url}, and {page.evaluate(STEPS)[place]} is shown")
    return wrong


def check(browser, page_file: Path, pictures: Path | None, games: int | None) -> list[str]:
    """The faults of a page, as a list of texts."""
    address = page_file.resolve().as_uri()
    wrong = []
    for scheme in ("light", "dark"):
        for device, width in WIDTHS.items():
            where = f"{page_file}, {device}, {scheme}"
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            heard: list[str] = []
            page.on("console", lambda message: heard.append(f"the browser says: {message.text}"))
            page.on("pageerror", lambda error: heard.append(f"script error: {error}"))
            page.on("request", lambda request: request.url in (address, "data:,") or heard.append(f"request: {request.url}"))
            # A slow machine has an idle network before it has read the page to its end, so this waits for both.
            page.set_default_timeout(PATIENCE)
            page.goto(address, wait_until="load")
            page.wait_for_load_state("networkidle")
            heard += page.evaluate(LOOK) + stepping(page, games)
            wrong += [f"{where}: {text}" for text in heard]
            if pictures:
                page.screenshot(path=pictures / f"{page_file.stem}-{device}-{scheme}.png", full_page=True)
            page.close()
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--games", type=int, help="how many games every page must have to step through")
    parser.add_argument("--find", action="store_true", help="say which browser this takes, and no more")
    parser.add_argument("pages", type=Path, nargs="*")
    args = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not chromium:
        print(f"there is none of {', '.join(BROWSERS)}: scripts/check-page installs the first", file=sys.stderr)
        return NO_BROWSER
    if args.find:
        print(chromium)
        return 0
    if not args.pages:
        parser.error("name a page")
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        wrong = [text for page in args.pages for text in check(browser, page, args.pictures, args.games)]
        browser.close()
    print("\n".join(wrong) or f"{len(args.pages)} pages in Chromium: no errors, no requests, all charts there")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

"""The graph of a run's rules as one SVG picture: which rule reads what which other made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from burnqed.words import counted

WIDTH, HEIGHT, GAP_X, GAP_Y = 150, 38, 14, 34  # of a box and between boxes, in pixels


def draw_rules(counts: Mapping[str, int], levels: Mapping[str, int], edges: Iterable[tuple[str, str]]) -> Markup:
    """Return the picture; ``levels``: the row of each rule from the top, ``edges``: (maker, reader).

    An edge that goes up is one to the next iteration, drawn dashed.
    """
    rows: dict[int, list[str]] = {}
    for rule in counts:
        rows.setdefault(levels[rule], []).append(rule)
    widest = max(map(len, rows.values()))
    width = widest * (WIDTH + GAP_X) + GAP_X
    place: dict[str, tuple[float, float]] = {}
    for number, level in enumerate(sorted(rows)):
        own = rows[level]
        left = (width - len(own) * (WIDTH + GAP_X) + GAP_X) / 2
        for position, rule in enumerate(own):
            place[rule] = (left + position * (WIDTH + GAP_X), GAP_Y / 2 + number * (HEIGHT + GAP_Y))
    height = GAP_Y + len(rows) * (HEIGHT + GAP_Y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="graph of the rules" font-family="sans-serif" font-size="12">'
    ]
    for maker, reader in edges:
        (x1, y1), (x2, y2) = place[maker], place[reader]
        back, beside = y2 < y1, y2 == y1
        start, end = (x1 + WIDTH / 2, y1 + (0 if back else HEIGHT)), (x2 + WIDTH / 2, y2 + (HEIGHT if back else 0))
        if beside:
            side = WIDTH if x2 > x1 else 0
            start, end = (x1 + side, y1 + HEIGHT / 2), (x2 + WIDTH - side, y2 + HEIGHT / 2)
        bend = (start[1] + end[1]) / 2
        style = 'stroke="#D55E00" stroke-dasharray="4 3"' if back else 'stroke="#888"'
        parts.append(
            f'<path d="M{start[0]:.0f},{start[1]:.0f} C{start[0]:.0f},{bend:.0f} {end[0]:.0f},{bend:.0f} '
            f'{end[0]:.0f},{end[1]:.0f}" fill="none" {style}/>'
        )
    for rule, (x, y) in place.items():
        jobs = counted(counts[rule], "job")
        parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="#eef5fa" stroke="#0072B2"/>'
            f'<text x="{x + WIDTH / 2:.0f}" y="{y + 16:.0f}" text-anchor="middle">{escape(rule)}</text>'
            f'<text x="{x + WIDTH / 2:.0f}" y="{y + 31:.0f}" text-anchor="middle" fill="#555">{jobs}</text>'
        )
    return Markup("\n".join([*parts, "</svg>"]))

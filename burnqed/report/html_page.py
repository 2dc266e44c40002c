"""HTML documents of the report that need no other file; Jinja2 escapes all text from outside."""

from __future__ import annotations

from jinja2 import Environment
from markupsafe import Markup

STYLE = Markup("""
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #111;
  background: #fff; overflow-wrap: anywhere; }
h1 { font-size: 1.45rem; line-height: 1.3; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.table, .scroll { overflow-x: auto; } figure { margin: 1rem 0 1.5rem; } figcaption { color: #444; font-size: 0.85rem; }
img, .graph svg { display: block; max-width: 100%; height: auto; }
@media (max-width: 600px) {
  body { padding: 0.75rem; } .wide::before { content: "wider than the screen: scroll sideways \\2192"; color: #777;
    font-size: 0.75rem; position: sticky; left: 0; }
  .graph svg { max-width: none; width: 48rem; } figure:not(.key) img { max-width: none; width: 34rem; }
}
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top;
  overflow-wrap: normal; }
th { background: #f2f2f2; } pre { overflow-x: auto; background: #f6f6f6; padding: 0.6rem; font-size: 0.8rem; }
summary { cursor: pointer; } li { margin: 0.3rem 0; }
""")
MACROS = """
{%- macro table(rows) -%}
{% if rows %}<div class="table{% if rows[0] | length > 5 %} wide{% endif %}"><table><thead><tr>{% for key in rows[0] %}<th>{{ key }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in rows %}<tr>{% for value in row.values() %}<td>{{ value }}</td>{% endfor %}</tr>
{% endfor %}</tbody></table></div>
{% else %}<p>No rows.</p>
{% endif %}{%- endmacro -%}
{%- macro section(title, rows) -%}<h2>{{ title }}</h2>
{{ table(rows) }}{%- endmacro -%}
"""
DOCUMENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{{ style }}</style></head>
<body>
{{ body }}</body></html>
"""
_ENVIRONMENT = Environment(autoescape=True, keep_trailing_newline=True)


def render(template: str, **values: object) -> Markup:
    """Return a piece of HTML; the template may use the macros ``table`` and ``section``."""
    return Markup(_ENVIRONMENT.from_string(MACROS + template).render(**values))


def html_document(title: str, body: Markup) -> str:
    """Return a whole document; ``body`` is HTML already."""
    return str(_ENVIRONMENT.from_string(DOCUMENT).render(title=title, style=STYLE, body=body))

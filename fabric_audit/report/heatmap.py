"""The pair matrix as one bokeh figure. All views lie in its data source; a script of the page chooses among them.

The figure has no code of its own, so that it works without ``unsafe-eval``: colours, selection and what is said of the
cell under the pointer come from ``pairs.js``.
"""

import json
from typing import Any

from fabric_audit.report.pairs import Matrix, View

MOST_TICKS = 32
"""Host names along a side: more of them overlap at 640 pixels."""
SIDE_PX = 640


def drawing(matrix: Matrix) -> dict[str, Any]:
    """The figure as bokeh's ``embed_item`` takes it; the same matrix always gives the same."""
    from bokeh.embed import json_item  # noqa: PLC0415 - heavy: only a page with pairs pays for it

    return _renumbered(json.loads(json.dumps(json_item(_figure(matrix)))))


def described(matrix: Matrix) -> dict[str, Any]:
    """What the script must know besides the cells."""
    return {
        "hosts": list(matrix.hosts),
        "rails": list(matrix.rails),
        "views": [_view(view) for view in matrix.views],
    }


def javascript() -> str:
    """The core bundle of bokeh, and no other."""
    from bokeh.resources import Resources  # noqa: PLC0415 - as above

    return "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw)


def _view(view: View) -> dict[str, Any]:
    alike = len(set(view.rates)) == 1
    return {
        "test": view.test,
        "rail": view.rail,
        "median_bps": round(view.median_bps),
        "rates": None if alike else [round(rate, 4) for rate in view.rates],
    }


def _figure(matrix: Matrix) -> Any:
    from bokeh.models import ColumnDataSource, FixedTicker, Image, LinearColorMapper, Range1d  # noqa: PLC0415 - as above
    from bokeh.plotting import figure  # noqa: PLC0415 - as above

    hosts = len(matrix.hosts)
    source = ColumnDataSource(data=_columns(matrix))
    drawn = figure(
        x_range=Range1d(start=0, end=hosts),
        y_range=Range1d(start=hosts, end=0),
        x_axis_location="above",
        x_axis_label="receives",
        y_axis_label="sends",
        width=SIDE_PX,
        height=SIDE_PX,
        sizing_mode="scale_width",
        tools="box_zoom,reset" if hosts > MOST_TICKS else "",
        toolbar_location="below" if hosts > MOST_TICKS else None,
        background_fill_alpha=0,
        border_fill_alpha=0,
        outline_line_color=None,
        name="matrix",
    )
    mapper = LinearColorMapper(palette=["#888888"], low=0, high=1)
    cells = Image(image="v0", x=0, y=0, dw=hosts, dh=hosts, color_mapper=mapper)
    drawn.add_glyph(source, cells, name="cells")
    step = -(-hosts // MOST_TICKS)
    chosen = range(0, hosts, step)
    for axis in (drawn.xaxis, drawn.yaxis):
        axis.ticker = FixedTicker(ticks=[at + 0.5 for at in chosen])
        axis.major_label_overrides = {at + 0.5: matrix.hosts[at] for at in chosen}
        axis.major_tick_line_color = None
        axis.axis_line_color = None
        axis.axis_label_text_font_style = "normal"
    drawn.xaxis.major_label_orientation = "vertical"
    drawn.toolbar.logo = None
    drawn.grid.ticker = FixedTicker(ticks=list(range(hosts + 1)) if hosts <= MOST_TICKS else [])
    drawn.grid.level = "overlay"
    return drawn


def _columns(matrix: Matrix) -> dict[str, list[Any]]:
    columns = {f"v{at}": [view.cells] for at, view in enumerate(matrix.views)}
    rails = {f"r{at}": [view.worst_rail] for at, view in enumerate(matrix.views) if view.worst_rail is not None}
    return columns | rails


def _renumbered(item: dict[str, Any]) -> dict[str, Any]:
    """Bokeh numbers its objects over the life of the process, and its documents at random."""
    names: dict[str, str] = {}

    def name(value: Any) -> Any:
        if isinstance(value, dict):
            if isinstance(value.get("id"), str):
                names.setdefault(value["id"], f"p{len(names) + 1}")
            return {key: names.get(inner, inner) if key == "id" else name(inner) for key, inner in value.items()}
        return [name(inner) for inner in value] if isinstance(value, list) else value

    renamed = name(item["doc"])
    return {**item, "doc": renamed, "root_id": names[item["root_id"]]}

"""Gradio's own variables, pointed at our tokens, so that stock components follow light and dark."""

from __future__ import annotations

import gradio as gr

VARIABLES = {
    "body_background_fill": "var(--wall)",
    "body_text_color": "var(--ink)",
    "body_text_color_subdued": "var(--ink-3)",
    "body_text_size": "14px",
    "background_fill_primary": "var(--surface)",
    "background_fill_secondary": "var(--hover)",
    "border_color_primary": "var(--line)",
    "border_color_accent": "var(--accent)",
    "color_accent": "var(--accent)",
    "color_accent_soft": "var(--accent-soft)",
    "link_text_color": "var(--accent)",
    "link_text_color_hover": "var(--accent-hover)",
    "link_text_color_active": "var(--accent)",
    "link_text_color_visited": "var(--accent)",
    "block_background_fill": "transparent",
    "block_border_width": "0px",
    "block_border_color": "var(--line)",
    "block_padding": "0px",
    "block_radius": "8px",
    "block_shadow": "none",
    "block_label_background_fill": "var(--surface)",
    "block_label_text_color": "var(--ink-2)",
    "block_label_border_color": "var(--line)",
    "block_title_text_color": "var(--ink)",
    "block_title_text_size": "13px",
    "block_title_text_weight": "600",
    "block_title_background_fill": "transparent",
    "block_title_padding": "0px",
    "block_info_text_color": "var(--ink-3)",
    "panel_background_fill": "transparent",
    "layout_gap": "16px",
    "form_gap_width": "0px",
    "input_background_fill": "var(--surface)",
    "input_background_fill_focus": "var(--surface)",
    "input_background_fill_hover": "var(--surface)",
    "input_border_color": "var(--control)",
    "input_border_color_focus": "var(--accent)",
    "input_border_color_hover": "var(--ink-3)",
    "input_border_width": "1px",
    "input_radius": "6px",
    "input_padding": "8px 12px",
    "input_placeholder_color": "var(--ink-3)",
    "input_shadow": "none",
    "input_shadow_focus": "none",
    "input_text_size": "14px",
    "checkbox_background_color": "var(--surface)",
    "checkbox_background_color_selected": "var(--accent)",
    "checkbox_border_color": "var(--control)",
    "checkbox_border_color_selected": "var(--accent)",
    "checkbox_border_color_focus": "var(--accent)",
    "checkbox_label_background_fill": "var(--surface)",
    "checkbox_label_background_fill_hover": "var(--hover)",
    "checkbox_label_background_fill_selected": "var(--accent-soft)",
    "checkbox_label_border_color": "var(--control)",
    "checkbox_label_border_color_selected": "var(--accent)",
    "checkbox_label_border_width": "1px",
    "checkbox_label_text_color": "var(--ink)",
    "checkbox_label_text_color_selected": "var(--accent)",
    "checkbox_label_text_size": "13px",
    "checkbox_label_shadow": "none",
    "checkbox_shadow": "none",
    "slider_color": "var(--ink-2)",
    "button_primary_background_fill": "var(--accent)",
    "button_primary_background_fill_hover": "var(--accent-hover)",
    "button_primary_text_color": "var(--on-accent)",
    "button_primary_border_color": "var(--accent)",
    "button_primary_border_color_hover": "var(--accent-hover)",
    "button_secondary_background_fill": "var(--surface)",
    "button_secondary_background_fill_hover": "var(--hover)",
    "button_secondary_text_color": "var(--ink)",
    "button_secondary_border_color": "var(--control)",
    "button_secondary_border_color_hover": "var(--ink-3)",
    "button_cancel_background_fill": "var(--surface)",
    "button_cancel_background_fill_hover": "var(--danger-soft)",
    "button_cancel_text_color": "var(--danger)",
    "button_cancel_text_color_hover": "var(--danger)",
    "button_cancel_border_color": "var(--danger)",
    "button_cancel_border_color_hover": "var(--danger)",
    "button_border_width": "1px",
    "button_transition": "background 120ms, border-color 120ms",
    "button_transform_hover": "none",
    "button_transform_active": "none",
    "button_primary_shadow": "none",
    "button_primary_shadow_hover": "none",
    "button_primary_shadow_active": "none",
    "button_secondary_shadow": "none",
    "button_secondary_shadow_hover": "none",
    "button_secondary_shadow_active": "none",
    "button_large_radius": "6px",
    "button_large_text_size": "13px",
    "button_large_text_weight": "550",
    "button_large_padding": "0 12px",
    "button_medium_radius": "6px",
    "button_medium_text_size": "13px",
    "button_small_radius": "6px",
    "button_small_text_size": "13px",
    "table_border_color": "var(--line)",
    "table_even_background_fill": "var(--surface)",
    "table_odd_background_fill": "var(--surface)",
    "table_row_focus": "var(--accent-soft)",
    "table_text_color": "var(--ink)",
    "code_background_fill": "var(--sunken)",
    "error_background_fill": "var(--danger-soft)",
    "error_border_color": "var(--danger)",
    "error_text_color": "var(--danger)",
    "error_icon_color": "var(--danger)",
    "stat_background_fill": "var(--sunken)",
    "loader_color": "var(--accent)",
}


def studio_theme() -> gr.themes.Base:
    """Theme of the studio: each of Gradio's variables that a component may show, set to one of our tokens.

    The tokens flip under `.dark`, so the light value serves both; each `_dark` twin must be set, or its
    default wins.

    Raises:
        KeyError: Gradio no longer knows a variable (checked here, since it ignores unknown ones in silence).
    """
    theme = gr.themes.Base(font=["var(--sans)"], font_mono=["var(--mono)"])
    settings: dict[str, str] = {}
    for key, value in VARIABLES.items():
        if not hasattr(theme, key):
            raise KeyError(key)
        settings[key] = value
        if hasattr(theme, f"{key}_dark"):
            settings[f"{key}_dark"] = value
    return theme.set(**settings)

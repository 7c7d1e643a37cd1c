// Made by scripts/generate-embedded from the folders that it names: edit that, not this file.
#include "CEmbedded.h"

#include <stddef.h>

// #embed is of C23, and Clang has it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char account_account_css[] = {
#embed "../../Sources/CairnOperators/Account/Resources/account.css"
};
static const unsigned char account_account_html[] = {
#embed "../../Sources/CairnOperators/Account/Resources/account.html"
};
static const unsigned char account_account_js[] = {
#embed "../../Sources/CairnOperators/Account/Resources/account.js"
};
static const unsigned char account_help_css[] = {
#embed "../../Sources/CairnOperators/Account/Resources/help.css"
};
static const unsigned char account_help_html[] = {
#embed "../../Sources/CairnOperators/Account/Resources/help.html"
};
static const unsigned char account_help_js[] = {
#embed "../../Sources/CairnOperators/Account/Resources/help.js"
};
static const unsigned char account_pages_js[] = {
#embed "../../Sources/CairnOperators/Account/Resources/pages.js"
};
static const unsigned char account_privacy_html[] = {
#embed "../../Sources/CairnOperators/Account/Resources/privacy.html"
};
static const unsigned char account_privacy_js[] = {
#embed "../../Sources/CairnOperators/Account/Resources/privacy.js"
};
static const unsigned char console_accounts_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/accounts.js"
};
static const unsigned char console_actions_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/actions.js"
};
static const unsigned char console_audit_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/audit.js"
};
static const unsigned char console_backups_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/backups.js"
};
static const unsigned char console_cell_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/cell.js"
};
static const unsigned char console_console_css[] = {
#embed "../../Sources/CairnOperators/Console/Resources/console.css"
};
static const unsigned char console_console_html[] = {
#embed "../../Sources/CairnOperators/Console/Resources/console.html"
};
static const unsigned char console_curve_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/curve.js"
};
static const unsigned char console_figures_css[] = {
#embed "../../Sources/CairnOperators/Console/Resources/figures.css"
};
static const unsigned char console_figures_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/figures.js"
};
static const unsigned char console_find_css[] = {
#embed "../../Sources/CairnOperators/Console/Resources/find.css"
};
static const unsigned char console_find_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/find.js"
};
static const unsigned char console_graticule_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/graticule.js"
};
static const unsigned char console_health_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/health.js"
};
static const unsigned char console_icon_svg[] = {
#embed "../../Sources/CairnOperators/Console/Resources/icon.svg"
};
static const unsigned char console_ids_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/ids.js"
};
static const unsigned char console_layer_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/layer.js"
};
static const unsigned char console_link_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/link.js"
};
static const unsigned char console_list_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/list.js"
};
static const unsigned char console_main_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/main.js"
};
static const unsigned char console_map_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/map.js"
};
static const unsigned char console_meanings_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/meanings.js"
};
static const unsigned char console_moderation_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/moderation.js"
};
static const unsigned char console_names_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/names.js"
};
static const unsigned char console_organisations_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/organisations.js"
};
static const unsigned char console_page_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/page.js"
};
static const unsigned char console_pagecard_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/pagecard.js"
};
static const unsigned char console_plan_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/plan.js"
};
static const unsigned char console_record_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/record.js"
};
static const unsigned char console_refusals_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/refusals.js"
};
static const unsigned char console_signin_html[] = {
#embed "../../Sources/CairnOperators/Console/Resources/signin.html"
};
static const unsigned char console_signin_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/signin.js"
};
static const unsigned char console_theme_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/theme.js"
};
static const unsigned char console_things_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/things.js"
};
static const unsigned char console_totals_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/totals.js"
};
static const unsigned char console_tourlist_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/tourlist.js"
};
static const unsigned char console_trail_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/trail.js"
};
static const unsigned char console_who_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/who.js"
};
static const unsigned char console_words_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/words.js"
};
static const unsigned char console_world_js[] = {
#embed "../../Sources/CairnOperators/Console/Resources/world.js"
};
static const unsigned char demo_lookout_fr_opus[] = {
#embed "../../config/demo/lookout-fr.opus"
};
static const unsigned char demo_park_geojson[] = {
#embed "../../config/demo/park.geojson"
};
static const unsigned char demo_tree_en_opus[] = {
#embed "../../config/demo/tree-en.opus"
};
static const unsigned char help_help_json[] = {
#embed "../../Sources/CairnServer/Help/Resources/help.json"
};
static const unsigned char links_link_css[] = {
#embed "../../Sources/CairnOperators/Links/Resources/link.css"
};
static const unsigned char scenarios_chaos_yaml[] = {
#embed "../../loadtest/scenarios/chaos.yaml"
};
static const unsigned char scenarios_circles_yaml[] = {
#embed "../../loadtest/scenarios/circles.yaml"
};
static const unsigned char scenarios_commute_yaml[] = {
#embed "../../loadtest/scenarios/commute.yaml"
};
static const unsigned char scenarios_everyday_yaml[] = {
#embed "../../loadtest/scenarios/everyday.yaml"
};
static const unsigned char scenarios_festival_yaml[] = {
#embed "../../loadtest/scenarios/festival.yaml"
};
static const unsigned char scenarios_graffiti_yaml[] = {
#embed "../../loadtest/scenarios/graffiti.yaml"
};
static const unsigned char scenarios_idle_yaml[] = {
#embed "../../loadtest/scenarios/idle.yaml"
};
static const unsigned char scenarios_onlookers_yaml[] = {
#embed "../../loadtest/scenarios/onlookers.yaml"
};
static const unsigned char scenarios_square_yaml[] = {
#embed "../../loadtest/scenarios/square.yaml"
};
static const unsigned char scenarios_stadium_yaml[] = {
#embed "../../loadtest/scenarios/stadium.yaml"
};
static const unsigned char scenarios_storm_yaml[] = {
#embed "../../loadtest/scenarios/storm.yaml"
};
static const unsigned char scenarios_tour_yaml[] = {
#embed "../../loadtest/scenarios/tour.yaml"
};
static const unsigned char scenarios_walk_yaml[] = {
#embed "../../loadtest/scenarios/walk.yaml"
};
static const unsigned char texts_en_json[] = {
#embed "../../Sources/CairnServer/Texts/en.json"
};
static const unsigned char texts_es_json[] = {
#embed "../../Sources/CairnServer/Texts/es.json"
};
static const unsigned char texts_fr_json[] = {
#embed "../../Sources/CairnServer/Texts/fr.json"
};
static const unsigned char texts_hi_json[] = {
#embed "../../Sources/CairnServer/Texts/hi.json"
};
static const unsigned char texts_zh_json[] = {
#embed "../../Sources/CairnServer/Texts/zh.json"
};

static const struct cembedded_file files[] = {
    {"account", "account.css", account_account_css, sizeof account_account_css},
    {"account", "account.html", account_account_html, sizeof account_account_html},
    {"account", "account.js", account_account_js, sizeof account_account_js},
    {"account", "help.css", account_help_css, sizeof account_help_css},
    {"account", "help.html", account_help_html, sizeof account_help_html},
    {"account", "help.js", account_help_js, sizeof account_help_js},
    {"account", "pages.js", account_pages_js, sizeof account_pages_js},
    {"account", "privacy.html", account_privacy_html, sizeof account_privacy_html},
    {"account", "privacy.js", account_privacy_js, sizeof account_privacy_js},
    {"console", "accounts.js", console_accounts_js, sizeof console_accounts_js},
    {"console", "actions.js", console_actions_js, sizeof console_actions_js},
    {"console", "audit.js", console_audit_js, sizeof console_audit_js},
    {"console", "backups.js", console_backups_js, sizeof console_backups_js},
    {"console", "cell.js", console_cell_js, sizeof console_cell_js},
    {"console", "console.css", console_console_css, sizeof console_console_css},
    {"console", "console.html", console_console_html, sizeof console_console_html},
    {"console", "curve.js", console_curve_js, sizeof console_curve_js},
    {"console", "figures.css", console_figures_css, sizeof console_figures_css},
    {"console", "figures.js", console_figures_js, sizeof console_figures_js},
    {"console", "find.css", console_find_css, sizeof console_find_css},
    {"console", "find.js", console_find_js, sizeof console_find_js},
    {"console", "graticule.js", console_graticule_js, sizeof console_graticule_js},
    {"console", "health.js", console_health_js, sizeof console_health_js},
    {"console", "icon.svg", console_icon_svg, sizeof console_icon_svg},
    {"console", "ids.js", console_ids_js, sizeof console_ids_js},
    {"console", "layer.js", console_layer_js, sizeof console_layer_js},
    {"console", "link.js", console_link_js, sizeof console_link_js},
    {"console", "list.js", console_list_js, sizeof console_list_js},
    {"console", "main.js", console_main_js, sizeof console_main_js},
    {"console", "map.js", console_map_js, sizeof console_map_js},
    {"console", "meanings.js", console_meanings_js, sizeof console_meanings_js},
    {"console", "moderation.js", console_moderation_js, sizeof console_moderation_js},
    {"console", "names.js", console_names_js, sizeof console_names_js},
    {"console", "organisations.js", console_organisations_js, sizeof console_organisations_js},
    {"console", "page.js", console_page_js, sizeof console_page_js},
    {"console", "pagecard.js", console_pagecard_js, sizeof console_pagecard_js},
    {"console", "plan.js", console_plan_js, sizeof console_plan_js},
    {"console", "record.js", console_record_js, sizeof console_record_js},
    {"console", "refusals.js", console_refusals_js, sizeof console_refusals_js},
    {"console", "signin.html", console_signin_html, sizeof console_signin_html},
    {"console", "signin.js", console_signin_js, sizeof console_signin_js},
    {"console", "theme.js", console_theme_js, sizeof console_theme_js},
    {"console", "things.js", console_things_js, sizeof console_things_js},
    {"console", "totals.js", console_totals_js, sizeof console_totals_js},
    {"console", "tourlist.js", console_tourlist_js, sizeof console_tourlist_js},
    {"console", "trail.js", console_trail_js, sizeof console_trail_js},
    {"console", "who.js", console_who_js, sizeof console_who_js},
    {"console", "words.js", console_words_js, sizeof console_words_js},
    {"console", "world.js", console_world_js, sizeof console_world_js},
    {"demo", "lookout-fr.opus", demo_lookout_fr_opus, sizeof demo_lookout_fr_opus},
    {"demo", "park.geojson", demo_park_geojson, sizeof demo_park_geojson},
    {"demo", "tree-en.opus", demo_tree_en_opus, sizeof demo_tree_en_opus},
    {"help", "help.json", help_help_json, sizeof help_help_json},
    {"links", "link.css", links_link_css, sizeof links_link_css},
    {"scenarios", "chaos.yaml", scenarios_chaos_yaml, sizeof scenarios_chaos_yaml},
    {"scenarios", "circles.yaml", scenarios_circles_yaml, sizeof scenarios_circles_yaml},
    {"scenarios", "commute.yaml", scenarios_commute_yaml, sizeof scenarios_commute_yaml},
    {"scenarios", "everyday.yaml", scenarios_everyday_yaml, sizeof scenarios_everyday_yaml},
    {"scenarios", "festival.yaml", scenarios_festival_yaml, sizeof scenarios_festival_yaml},
    {"scenarios", "graffiti.yaml", scenarios_graffiti_yaml, sizeof scenarios_graffiti_yaml},
    {"scenarios", "idle.yaml", scenarios_idle_yaml, sizeof scenarios_idle_yaml},
    {"scenarios", "onlookers.yaml", scenarios_onlookers_yaml, sizeof scenarios_onlookers_yaml},
    {"scenarios", "square.yaml", scenarios_square_yaml, sizeof scenarios_square_yaml},
    {"scenarios", "stadium.yaml", scenarios_stadium_yaml, sizeof scenarios_stadium_yaml},
    {"scenarios", "storm.yaml", scenarios_storm_yaml, sizeof scenarios_storm_yaml},
    {"scenarios", "tour.yaml", scenarios_tour_yaml, sizeof scenarios_tour_yaml},
    {"scenarios", "walk.yaml", scenarios_walk_yaml, sizeof scenarios_walk_yaml},
    {"texts", "en.json", texts_en_json, sizeof texts_en_json},
    {"texts", "es.json", texts_es_json, sizeof texts_es_json},
    {"texts", "fr.json", texts_fr_json, sizeof texts_fr_json},
    {"texts", "hi.json", texts_hi_json, sizeof texts_hi_json},
    {"texts", "zh.json", texts_zh_json, sizeof texts_zh_json},
};

const struct cembedded_file *cembedded_file(int64_t number) {
    return number >= 0 && number < (int64_t)(sizeof files / sizeof *files) ? &files[number] : NULL;
}

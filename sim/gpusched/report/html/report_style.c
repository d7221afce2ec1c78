/*
 * report_style - the style sheet of a page; see report_style.h. Colours of charts differ in
 * lightness as well as in hue, so that they are told apart in grey and by the colour-blind.
 */

#include "gpusched/report/html/report_style.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
const char *const report_style[] = {
    /* ---- Colours: on screen, at night, on paper ------------------------------------------ */
    ":root{color-scheme:light dark;"
    "--paper:#fdfdfb;--ink:#1b1f24;--soft:#5a636d;--rule:#d9dcdf;--tint:#f1f2f0;--mark:#9a5b00;"
    "--bad:#a3211c;--good:#1c6e46;--grid:#e3e5e6;--base:#4a525a;"
    "--p0:#23476f;--p1:#f2cf7a;--p2:#96c9bd;--p3:#d5813b;--p4:#2f7d72;--p5:#e4e6e8;--p6:#8b929a;"
    "--p0t:#fff;--p1t:#222;--p2t:#222;--p3t:#1a1a1a;--p4t:#fff;--p5t:#222;--p6t:#111;"
    "--hatch:#a9afb5;--lane:#eeefec;--t0:#2d5f93;--t1:#84aed3;"
    "--v0:#24598f;--v1:#e08e2b;--v2:#1d8a6b;--v3:#b1457b;--v4:#6db3dc;--v5:#7b5d34;--v6:#877fc4;"
    "--v7:#4b5258;--vb:#9ba2a9}\n"
    "@media screen and (prefers-color-scheme:dark){:root{"
    "--paper:#14171a;--ink:#e3e5e7;--soft:#9aa3ac;--rule:#33393f;--tint:#1d2125;--mark:#e3a64b;"
    "--bad:#f08a80;--good:#6fc79c;--grid:#2a3036;--base:#a3abb3;"
    "--p0:#6f9fd3;--p1:#e9c978;--p2:#3f7468;--p3:#cf7a35;--p4:#5fb5a6;--p5:#2c3238;--p6:#7c848c;"
    "--p0t:#0c1117;--p1t:#161616;--p2t:#eee;--p3t:#111;--p4t:#0c1512;--p5t:#ddd;--p6t:#0c0c0c;"
    "--hatch:#565f68;--lane:#1c2024;--t0:#6fa3d8;--t1:#3a6492;"
    "--v0:#6fa3d8;--v1:#e5a04c;--v2:#4fb894;--v3:#d67fab;--v4:#a8d3ec;--v5:#b08d5b;--v6:#a9a2e0;"
    "--v7:#aab1b8;--vb:#6d757d}}\n",
    /* ---- The page ------------------------------------------------------------------------ */
    "*{box-sizing:border-box}"
    "html{font:17px/1.5 Charter,'Bitstream Charter','Iowan Old Style','Source Serif 4',Georgia,"
    "'C059',serif;background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%;"
    "text-size-adjust:100%}"
    "body{margin:0}main{max-width:58rem;margin:0 auto;padding:3rem 1.5rem 4rem}"
    ".defs{position:absolute}"
    "h1,h2,h3,h4,h5,p,ul,dl,figure{margin:0;padding:0}"
    "h1{font-size:2.1rem;line-height:1.18;font-weight:600;letter-spacing:-.01em;"
    "text-wrap:balance;overflow-wrap:anywhere}"
    "h2{font-size:1.55rem;line-height:1.25;font-weight:600;margin-top:4rem;padding-top:1.2rem;"
    "border-top:2px solid var(--ink)}"
    "h3{font-size:1.2rem;font-weight:600;margin-top:3rem;padding-top:.6rem;"
    "border-top:1px solid var(--rule)}"
    "h4{font-size:1.08rem;font-weight:600;margin-top:2.4rem}"
    "h5{font:600 .82rem/1.4 var(--sans);overflow-wrap:anywhere}"
    ":root{--sans:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',"
    "'DejaVu Sans',sans-serif}"
    ".answer{font-size:1.12rem;margin-top:.9rem;max-width:48rem;text-wrap:pretty}"
    "header .note{margin-top:.7rem}"
    ".note,figcaption p{color:var(--soft);font-size:.92rem;max-width:44rem}"
    ".state{font:.85rem/1.5 var(--sans);color:var(--soft);margin-top:.8rem}"
    ".state b{color:var(--ink)}.state .failed{font-weight:600}"
    "a{color:inherit;text-decoration-color:var(--soft);text-underline-offset:.2em}"
    "nav ul{list-style:none;font:.85rem/1.6 var(--sans);margin-top:1.4rem;display:flex;"
    "flex-wrap:wrap;gap:.1rem 1.3rem}"
    "code,pre{font:.85rem/1.5 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    "pre{background:var(--tint);padding:.8rem 1rem;margin:.8rem 0 0;overflow-x:auto}"
    "footer{margin-top:4rem;padding-top:1.2rem;border-top:2px solid var(--ink)}"
    "footer h2{border:0;margin:0;padding:0}",
    /* ---- Key data ------------------------------------------------------------------------ */
    ".keys{font:.82rem/1.4 var(--sans);display:grid;gap:.55rem 1.5rem;margin-top:1rem;"
    "grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr))}"
    ".keys dt{color:var(--soft)}.keys dd{margin:0;font-weight:600;"
    "font-variant-numeric:tabular-nums}",
    /* ---- Tables -------------------------------------------------------------------------- */
    ".scroll{overflow-x:auto;margin-top:.8rem;max-width:100%}"
    /* On a wide screen a table may reach beyond the text, to the screen's edge. */
    "@media (min-width:64rem){.scroll{width:max-content;max-width:calc(50vw + 26rem)}}"
    "table{border-collapse:collapse;font:.84rem/1.35 var(--sans);"
    "font-variant-numeric:tabular-nums lining-nums}"
    "th,td{padding:.34rem .2rem .34rem 1.1rem;text-align:right;vertical-align:baseline;"
    "white-space:nowrap}"
    "th:first-child,td:first-child{padding-left:0;text-align:left}"
    "thead th{font-weight:600;border-bottom:1px solid var(--ink);vertical-align:bottom;"
    "white-space:normal;min-width:3.6rem}"
    "tbody th{font-weight:400;position:sticky;left:0;background:var(--paper)}"
    "tbody tr+tr>*{border-top:1px solid var(--rule)}"
    "tbody tr.mean>*{border-top:1px solid var(--ink);font-weight:600}"
    "td small{display:block;font-size:.76rem;color:var(--soft)}"
    ".dense th,.dense td{padding-top:.18rem;padding-bottom:.18rem}"
    ".dense small{display:inline-block;min-width:5.2rem}"
    ".basis{color:var(--soft)}td.best{font-weight:700}td.best small{font-weight:400}"
    ".word,.say,td.error{text-align:left}td.error{white-space:normal;min-width:16rem;color:var(--bad)}"
    "td.say{white-space:normal;min-width:15rem;max-width:34rem}"
    ".failed{color:var(--bad)}.aborted{color:var(--bad)}.pending{color:var(--soft);font-style:italic}.good{color:var(--good)}"
    ".ratios .first{padding-left:2rem}.ratios thead tr:first-child th{border-bottom:0;"
    "padding-bottom:0}.ratios thead th[colspan]{text-align:center}"
    ".runs{font-size:.8rem}.runs td,.runs th{padding:.2rem .1rem .2rem .8rem}"
    ".runs td:first-child,.runs th:first-child{padding-left:0;min-width:0}"
    "td.failed[colspan],td.aborted[colspan],td.pending[colspan]{text-align:left}"
    ".matrix,.ratios{min-width:60%}",
    /* ---- Charts -------------------------------------------------------------------------- */
    ".chart h4{margin-top:2.6rem}"
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;"
    "font:.8rem/1.5 var(--sans);margin:.7rem 0 .3rem}"
    ".legend li{display:flex;align-items:center;gap:.4rem}"
    ".key{flex:none;border:1px solid var(--rule)}"
    ".row{display:grid;grid-template-columns:11rem minmax(0,1fr);font:.82rem/1.3 var(--sans)}"
    ".row>.label{padding:.3rem .8rem 0 0;overflow-wrap:anywhere}"
    ".plot{display:block;overflow:visible;width:calc(100% - 4.2rem);font:11.5px var(--sans);"
    "font-variant-numeric:tabular-nums}"
    ".mean .label{font-weight:600}.mean>.plot,.mean>.bars{border-top:1px solid var(--ink)}"
    ".group{padding:.3rem 0}.group .label{padding-top:0}"
    ".bar{display:grid;grid-template-columns:minmax(0,1fr)}"
    ".named .bar{grid-template-columns:6.6rem minmax(0,1fr)}"
    ".named .row{grid-template-columns:10rem minmax(0,1fr)}"
    ".name{color:var(--soft);font-size:.76rem;line-height:18px;padding-right:.6rem;overflow:hidden;"
    "text-overflow:ellipsis;white-space:nowrap}"
    "text{fill:var(--ink)}.axis text,.panel text,.timeline text{fill:var(--soft);font-size:11px}"
    ".value{font-size:12px}.in{font-size:10.5px}"
    ".grid{stroke:var(--grid)}.base{stroke:var(--base);stroke-width:1.4}"
    ".part{stroke:var(--paper);stroke-width:1}"
    ".hatch-ground{fill:var(--p5)}.hatch-line{fill:var(--hatch)}"
    ".p0{fill:var(--p0)}.p1{fill:var(--p1)}.p2{fill:var(--p2)}.p3{fill:var(--p3)}.p4{fill:var(--p4)}"
    ".p5{fill:url(#hatch)}.p6{fill:var(--p6)}"
    ".p0t{fill:var(--p0t)}.p1t{fill:var(--p1t)}.p2t{fill:var(--p2t)}.p3t{fill:var(--p3t)}"
    ".p4t{fill:var(--p4t)}.p5t{fill:var(--p5t);paint-order:stroke;stroke:var(--p5);stroke-width:4px}"
    ".p6t{fill:var(--p6t)}"
    ".v0{fill:var(--v0);stroke:var(--v0)}.v1{fill:var(--v1);stroke:var(--v1)}"
    ".v2{fill:var(--v2);stroke:var(--v2)}.v3{fill:var(--v3);stroke:var(--v3)}"
    ".v4{fill:var(--v4);stroke:var(--v4)}.v5{fill:var(--v5);stroke:var(--v5)}"
    ".v6{fill:var(--v6);stroke:var(--v6)}.v7{fill:var(--v7);stroke:var(--v7)}"
    ".vb{fill:var(--vb);stroke:var(--vb)}rect[class^=v]{stroke:none}"
    ".panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));"
    "gap:1.3rem 2rem;margin-top:.8rem}"
    ".panels.wide{grid-template-columns:minmax(0,1fr)}"
    ".panel .plot{margin:.5rem 0 0 2.8rem;width:calc(100% - 3.8rem)}"
    ".line{fill:none;stroke-width:1.8;stroke-linejoin:round;vector-effect:non-scaling-stroke}"
    ".line.v1,.line.v5{stroke-dasharray:7 3}.line.v2,.line.v6{stroke-dasharray:2 3}"
    ".line.v3,.line.v7{stroke-dasharray:9 3 2 3}"
    ".time .line{stroke-width:1.2;stroke-dasharray:none}.panel .legend{margin:.2rem 0 -.2rem}"
    "circle{stroke:var(--paper)}"
    ".timeline{margin-top:1.4rem}.what{font:.8rem/1.4 var(--sans);color:var(--soft);"
    "margin:.5rem 0 .25rem}.what b{color:var(--ink)}"
    ".timeline .plot{margin-left:1.7rem;width:calc(100% - 2.6rem)}"
    ".lanes{stroke:var(--lane)}.ctas path{fill:none}"
    ".t0{fill:var(--t0);stroke:var(--t0)}.t1{fill:var(--t1);stroke:var(--t1)}"
    ".end{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 2}\n",
    /* ---- A phone, and paper -------------------------------------------------------------- */
    "@media (max-width:40rem){html{font-size:16px}main{padding:1.6rem 1rem 3rem}"
    "h1{font-size:1.6rem}h2{margin-top:3rem}.answer{font-size:1.05rem}"
    ".row,.named .row{grid-template-columns:minmax(0,1fr)}"
    ".narrow{display:none}th,td{padding-left:.8rem}.ratios .first{padding-left:1.3rem}"
    ".row>.label{padding:.5rem 0 0;font-weight:600}.group{padding:.15rem 0}"
    ".named .bar{grid-template-columns:5.6rem minmax(0,1fr)}"
    ".keys{grid-template-columns:repeat(auto-fill,minmax(8.4rem,1fr))}}\n"
    "@page{margin:16mm 14mm}"
    "@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    ":root{--paper:#fff}html{font-size:10.5pt;background:none}main{max-width:none;padding:0}nav{display:none}"
    "h2{break-before:page}h2,h3,h4,h5,figcaption,.legend{break-after:avoid}"
    "footer h2,h2:first-of-type{break-before:auto}"
    ".rows,.row,.panel,.timeline,tr,.keys,figcaption{break-inside:avoid}.scroll{overflow:visible}"
    "table{font-size:7.6pt}th,td{padding-left:.6rem}pre{white-space:pre-wrap}}\n",
    NULL,
};
/* clang-format on */

struct text style_colour(const char *name)
{
    struct text colour;

    snprintf(colour.text, sizeof colour.text, "--%s:", name);
    const char *const at = strstr(report_style[0], colour.text);
    assert(at != NULL);
    const char *const value = at + strlen(colour.text);
    snprintf(colour.text, sizeof colour.text, "%.*s", (int)strcspn(value, ";}"), value);
    return colour;
}

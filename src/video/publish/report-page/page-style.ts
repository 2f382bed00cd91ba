/** The style of report.html. */

/** The colors, type and measures of the web page (`studio/components/tokens.css` and `studio/serve-page/page.css`). */
export const STYLE = `
:root{color-scheme:light dark;--paper:#f6f3ec;--ink:#1d2226;--soft:#5b564c;--line:#ded6c6;--brass:#7a5c2e}
@media (prefers-color-scheme:dark){:root{--paper:#17181a;--ink:#f0ece3;--soft:#aca594;--line:#35342f;--brass:#d0ad72}}
*{box-sizing:border-box}
body{margin:0;padding:0 24px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:1032px;margin:0 auto}
header{padding-top:56px}
h1,h2,h3{font-family:"EB Garamond",Garamond,Georgia,serif;font-weight:400;line-height:1.15}
h1{font-size:clamp(2rem,5vw,2.75rem);margin:4px 0 8px}
h2{font-size:1.5rem;margin:0 0 16px}
h3{font-size:1.25rem;margin:32px 0 8px}
.eyebrow{margin:0;color:var(--brass);font-variant-numeric:tabular-nums}
.lede{color:var(--soft);margin:0}
section,footer{border-top:1px solid var(--line);padding:32px 0;margin-top:32px}
.media{display:grid;grid-template-columns:minmax(0,2.6fr) minmax(0,1fr);gap:24px;align-items:start}
.tall .media{grid-template-columns:minmax(0,340px) minmax(0,200px)}
.media figure:only-child{grid-column:1/-1;max-width:860px}
.tall .media figure:only-child{grid-column:auto}
figure{margin:0;min-width:0}
video,.preview img{width:100%;height:auto;display:block;background:#000}
figcaption{color:var(--soft);font-size:.9rem;padding-top:8px}
a{color:inherit;text-underline-offset:3px;text-decoration-thickness:1px}
a:focus-visible,video:focus-visible{outline:3px solid var(--brass);outline-offset:2px}
.scenes{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:20px 16px;grid-template-columns:repeat(auto-fill,minmax(min(180px,100%),1fr))}
.tall .scenes{grid-template-columns:repeat(auto-fill,minmax(min(120px,100%),1fr))}
.scenes li{min-width:0}
.scenes img,.blank{width:100%;height:auto;display:block;background:var(--line)}
.blank{aspect-ratio:16/9}
.scenes p{margin:6px 0 0;font-size:.9rem}
.scenes b{font-weight:400;color:var(--brass);font-variant-numeric:tabular-nums}
.scenes .words{margin-top:0;color:var(--soft);display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.altered{list-style:none;margin:8px 0 0;padding:0;display:grid;gap:24px 16px;grid-template-columns:repeat(auto-fill,minmax(min(480px,100%),1fr))}
.altered img{width:calc(50% - 4px);height:auto;display:inline-block;vertical-align:top}
.altered img+img{margin-left:8px}
.altered p{margin:6px 0 0;font-size:.9rem;font-variant-numeric:tabular-nums}
.altered b{font-weight:400;color:var(--brass)}
.altered .address{margin-top:0;color:var(--soft)}
button{font:inherit;font-size:.9rem;color:inherit;background:none;border:1px solid var(--soft);border-radius:4px;padding:6px 14px;min-height:36px;cursor:pointer}
button:hover{border-color:var(--brass);color:var(--brass)}
button:focus-visible,summary:focus-visible{outline:3px solid var(--brass);outline-offset:2px}
.copies{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:24px 0 0;font-size:.9rem}
.copies[hidden]{display:none}
.texts details{margin-top:16px;font-size:.9rem}
summary{cursor:pointer;color:var(--soft);width:fit-content}
.texts h3{margin:20px 0 4px}
.texts p{margin:0 0 8px}
.texts pre{margin:0;padding:12px 16px;border:1px solid var(--line);border-radius:4px;white-space:pre-wrap;font-family:inherit}
.texts pre.code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
.fits{margin:16px 0 0;font-size:.9rem}
.sound{margin:24px 0 0;color:var(--soft);font-size:.9rem}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{text-align:left;padding:8px 24px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:400;color:var(--soft)}
td:last-child,th:last-child{padding-right:0}
.url{width:50%}
dl{margin:0}
.facts div,.timings div{display:grid;grid-template-columns:minmax(0,140px) minmax(0,1fr);gap:0 16px;padding:4px 0}
dt{color:var(--soft)}dd{margin:0;font-variant-numeric:tabular-nums}
.timings dd{display:flex;align-items:center;gap:16px;white-space:nowrap}
.bar{flex:0 1 320px;height:6px;border-radius:3px;background:var(--line);overflow:hidden}
.bar span{display:block;height:100%;background:var(--brass)}
.timings .total{border-top:1px solid var(--line);margin-top:4px;padding-top:8px}
.notes{margin:0;padding-left:20px}
footer{color:var(--soft);font-size:.9rem;padding:24px 0 48px}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
@media (max-width:720px){body{padding:0 16px}header{padding-top:32px}.media,.tall .media{grid-template-columns:minmax(0,1fr)}}
@media (max-width:480px){
.facts div{grid-template-columns:minmax(0,1fr)}
.timings div{grid-template-columns:minmax(0,92px) minmax(0,1fr)}
.timings dd{justify-content:space-between}
.scenes,.tall .scenes{grid-template-columns:repeat(2,minmax(0,1fr))}
table,tbody,tr,td{display:block}thead{display:none}.url{width:auto}
td{padding:0;border:0}tr{padding:8px 0;border-bottom:1px solid var(--line)}td+td{color:var(--soft)}
}
@media print{section{break-inside:avoid}}
`;

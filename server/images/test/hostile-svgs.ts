/** Drawings with a stranger in them, by what they try. None may be drawn as more than pixels; most are refused. */
const ns = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (inside: string, attributes = 'width="100" height="50" viewBox="0 0 100 50"', before = ''): string =>
  `${before}<svg ${ns} ${attributes}>${inside}</svg>`
const box = '<rect width="50" height="50" fill="#c00"/>'

/** Where hostile drawings would fetch from: a listener of the test counts. */
export function hostileSvgs(elsewhere: string): Record<string, string> {
  const bomb = (depth: number): string =>
    `<!DOCTYPE svg [<!ENTITY a0 "lol">${Array.from({ length: depth }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]>`
  return {
    script: svg(`<script>alert(1)</script>${box}`),
    'script elsewhere': svg(`<script href="${elsewhere}/x.js"/>`),
    'script with a prefix': `<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"><s:script>alert(1)</s:script></s:svg>`,
    'script in capitals': svg('<SCRIPT>alert(1)</SCRIPT>'),
    'script in a section': svg('<script><![CDATA[alert(1)]]></script>'),
    handler: svg('<rect width="9" height="9" onclick="alert(1)"/>'),
    'handler of the root': svg(box, 'width="9" height="9" onload="alert(1)"'),
    'handler in single quotes': svg("<rect onmouseover='alert(1)' width='9' height='9'/>"),
    'handler in capitals': svg('<rect ONLOAD="alert(1)" width="9" height="9"/>'),
    'handler with a prefix': svg('<rect ev:onload="alert(1)" xmlns:ev="http://www.w3.org/2001/xml-events"/>'),
    handlerElement: svg('<handler type="text/ecmascript">alert(1)</handler>'),
    listener: svg('<listener event="load" handler="#x"/>'),
    foreignObject: svg(
      '<foreignObject width="9" height="9"><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>',
    ),
    'foreignObject with a prefix': svg('<svg:foreignObject xmlns:svg="http://www.w3.org/2000/svg"/>'),
    iframe: svg(`<iframe src="${elsewhere}"/>`),
    embed: svg(`<embed src="${elsewhere}"/>`),
    object: svg(`<object data="${elsewhere}"/>`),
    html: svg('<html><body/></html>'),
    'javascript link': svg(`<a href="javascript:alert(1)">${box}</a>`),
    'javascript link of old': svg(`<a xlink:href="javascript:alert(1)">${box}</a>`),
    'javascript link, spelled': svg(`<a href="&#106;avascript:alert(1)">${box}</a>`),
    'javascript link, broken up': svg(`<a href="java&#9;script:alert(1)">${box}</a>`),
    'data link': svg(`<a href="data:text/html,x">${box}</a>`),
    'link elsewhere': svg(`<a href="${elsewhere}">${box}</a>`),
    'link with another prefix': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:y="http://www.w3.org/1999/xlink" width="9" height="9"><a y:href="${elsewhere}"/></svg>`,
    'image elsewhere': svg(`<image href="${elsewhere}/x.png" width="9" height="9"/>`),
    'image from a file': svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>'),
    'image next door': svg('<image href="logo" width="9" height="9"/>'),
    'image inside': svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>'),
    'drawing inside': svg('<image href="data:image/svg+xml,%3Csvg/%3E" width="9" height="9"/>'),
    feImage: svg(
      `<filter id="f"><feImage href="${elsewhere}/x.png"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
    ),
    'use elsewhere': svg(`<use href="${elsewhere}/x.svg#a"/>`),
    'use of a file': svg('<use xlink:href="in#a"/>'),
    'use without a scheme': svg(`<use href="${elsewhere.replace('http:', '')}/x.svg#a"/>`),
    'gradient elsewhere': svg(`<linearGradient id="g" href="${elsewhere}/x.svg#g"/>`),
    'fill elsewhere': svg(`<rect fill="url(${elsewhere}/x.svg#g)" width="9" height="9"/>`),
    'fill elsewhere, quoted': svg(`<rect fill="url('${elsewhere}/x.svg#g')" width="9" height="9"/>`),
    'fill elsewhere, spelled': svg(`<rect fill="&#117;rl(${elsewhere}/x.svg#g)" width="9" height="9"/>`),
    'fill elsewhere, escaped': svg(`<rect style="fill:\\75rl(${elsewhere}/x.svg#g)" width="9" height="9"/>`),
    'mask of a file': svg('<rect mask="url(file:///etc/passwd#m)" width="9" height="9"/>'),
    'filter elsewhere': svg(`<rect style="filter: url( ${elsewhere}/x.svg#f )" width="9" height="9"/>`),
    'style sheet brought in': svg(`<style>@import url("${elsewhere}/x.css");</style>${box}`),
    'style sheet brought in by name': svg(`<style>@import "${elsewhere}/x.css";</style>${box}`),
    'style sheet in pieces': svg(`<style>@imp<![CDATA[ort "${elsewhere}/x.css";]]></style>${box}`),
    'style sheet in pieces with a comment': svg(`<style>@imp<!-- -->ort "${elsewhere}/x.css";</style>${box}`),
    'style sheet by instruction': svg(box, undefined, `<?xml-stylesheet href="${elsewhere}/x.css"?>`),
    'link to a style sheet': svg(`<link rel="stylesheet" href="${elsewhere}/x.css"/>`),
    font: svg(
      `<style>@font-face{font-family:x;src:url(${elsewhere}/x.woff)}</style><text y="9" font-family="x">x</text>`,
    ),
    'escaped style': svg(`<style>@\\69mport "${elsewhere}/x.css";</style>${box}`),
    'entity from a file': svg(
      '<text y="9">&x;</text>',
      undefined,
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ),
    'entity from elsewhere': svg(
      '<text y="9">&x;</text>',
      undefined,
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "${elsewhere}/x">]>`,
    ),
    'declaration elsewhere': svg(box, undefined, `<!DOCTYPE svg SYSTEM "${elsewhere}/x.dtd">`),
    'public declaration elsewhere': svg(
      box,
      undefined,
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${elsewhere}/x.dtd">`,
    ),
    'parameter entity': svg(box, undefined, `<!DOCTYPE svg [<!ENTITY % x SYSTEM "${elsewhere}/x.dtd"> %x;]>`),
    'billion laughs': svg('<text y="9">&a9;</text>', undefined, bomb(9)),
    'quadratic laughs': svg(
      `<text y="9">${'&a;'.repeat(1000)}</text>`,
      undefined,
      `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(10_000)}">]>`,
    ),
    'unknown entity': svg('<text y="9">&x;</text>'),
    include: svg(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`),
    'animated link': svg(`<a><animate attributeName="href" values="javascript:alert(1)"/>${box}</a>`),
    'set link': svg(`<a><set attributeName="href" to="javascript:alert(1)"/>${box}</a>`),
    'base elsewhere': svg(box, `width="9" height="9" xml:base="${elsewhere}"`),
    'huge view box': svg(box, 'viewBox="0 0 1000000000 1000000000"'),
    'huge size': svg(box, 'width="999999999" height="999999999"'),
    'huge size in inches': svg(box, 'width="20000in" height="20000in"'),
    'endless view box': svg(box, 'width="9" height="9" viewBox="0 0 Infinity NaN"'),
    'huge pattern': svg('<pattern id="p" width="1e9" height="1e9"/><rect fill="url(#p)" width="9" height="9"/>'),
    'unclosed comment': `<svg ${ns} width="9" height="9"><!-- `,
    'unclosed tag': `<svg ${ns} width="9" height="9"><rect `,
    'nested for ever': svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`),
    'words after the end': `${svg(box)}<script>alert(1)</script>`,
    'a program after the end': `${svg(box)}<?php echo 1 ?>`,
    'another encoding': `<?xml version="1.0" encoding="UTF-7"?>${svg(box)}`,
  }
}

/** The same in sixteen bits, and packed. */
export const strangeFiles = {
  'sixteen bits': (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'a zero byte': (text: string): Buffer => Buffer.from(text.replace('<rect', '<rect\0')),
}

/** A plain drawing: red on the left, nothing on the right. */
export const plainSvg = svg(box)

const ns = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (inside: string, attributes = 'width="100" height="50" viewBox="0 0 100 50"', before = ''): string =>
  `${before}<svg ${ns} ${attributes}>${inside}</svg>`
const box = '<rect width="50" height="50" fill="#c00"/>'

/** SVG files that try to execute, fetch or exhaust something, by what they do. `url` is where they try to fetch from. */
export function hostileSvgs(url: string): Record<string, string> {
  const bomb = (depth: number): string =>
    `<!DOCTYPE svg [<!ENTITY a0 "lol">${Array.from({ length: depth }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]>`
  return {
    script: svg(`<script>alert(1)</script>${box}`),
    'external script': svg(`<script href="${url}/x.js"/>`),
    'script with a namespace prefix': `<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"><s:script>alert(1)</s:script></s:svg>`,
    'script in upper case': svg('<SCRIPT>alert(1)</SCRIPT>'),
    'script in a CDATA section': svg('<script><![CDATA[alert(1)]]></script>'),
    'event handler': svg('<rect width="9" height="9" onclick="alert(1)"/>'),
    'event handler of the root element': svg(box, 'width="9" height="9" onload="alert(1)"'),
    'event handler in single quotes': svg("<rect onmouseover='alert(1)' width='9' height='9'/>"),
    'event handler in upper case': svg('<rect ONLOAD="alert(1)" width="9" height="9"/>'),
    'event handler with a prefix': svg('<rect ev:onload="alert(1)" xmlns:ev="http://www.w3.org/2001/xml-events"/>'),
    'handler element': svg('<handler type="text/ecmascript">alert(1)</handler>'),
    'listener element': svg('<listener event="load" handler="#x"/>'),
    foreignObject: svg(
      '<foreignObject width="9" height="9"><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>',
    ),
    'foreignObject with a prefix': svg('<svg:foreignObject xmlns:svg="http://www.w3.org/2000/svg"/>'),
    iframe: svg(`<iframe src="${url}"/>`),
    embed: svg(`<embed src="${url}"/>`),
    object: svg(`<object data="${url}"/>`),
    html: svg('<html><body/></html>'),
    'javascript link': svg(`<a href="javascript:alert(1)">${box}</a>`),
    'javascript link with xlink': svg(`<a xlink:href="javascript:alert(1)">${box}</a>`),
    'javascript link with a character reference': svg(`<a href="&#106;avascript:alert(1)">${box}</a>`),
    'javascript link with a tab inside': svg(`<a href="java&#9;script:alert(1)">${box}</a>`),
    'data link': svg(`<a href="data:text/html,x">${box}</a>`),
    'external link': svg(`<a href="${url}">${box}</a>`),
    'external link with another prefix': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:y="http://www.w3.org/1999/xlink" width="9" height="9"><a y:href="${url}"/></svg>`,
    'external image': svg(`<image href="${url}/x.png" width="9" height="9"/>`),
    'image from a file': svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>'),
    'image beside the file': svg('<image href="logo" width="9" height="9"/>'),
    'embedded image': svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>'),
    'embedded SVG': svg('<image href="data:image/svg+xml,%3Csvg/%3E" width="9" height="9"/>'),
    feImage: svg(`<filter id="f"><feImage href="${url}/x.png"/></filter><rect filter="url(#f)" width="9" height="9"/>`),
    'external use': svg(`<use href="${url}/x.svg#a"/>`),
    'use of a file': svg('<use xlink:href="in#a"/>'),
    'external use without a scheme': svg(`<use href="${url.replace('http:', '')}/x.svg#a"/>`),
    'external gradient': svg(`<linearGradient id="g" href="${url}/x.svg#g"/>`),
    'external fill': svg(`<rect fill="url(${url}/x.svg#g)" width="9" height="9"/>`),
    'external fill in quotes': svg(`<rect fill="url('${url}/x.svg#g')" width="9" height="9"/>`),
    'external fill with a character reference': svg(`<rect fill="&#117;rl(${url}/x.svg#g)" width="9" height="9"/>`),
    'external fill with a CSS escape': svg(`<rect style="fill:\\75rl(${url}/x.svg#g)" width="9" height="9"/>`),
    'mask from a file': svg('<rect mask="url(file:///etc/passwd#m)" width="9" height="9"/>'),
    'external filter': svg(`<rect style="filter: url( ${url}/x.svg#f )" width="9" height="9"/>`),
    'style sheet import by url': svg(`<style>@import url("${url}/x.css");</style>${box}`),
    'style sheet import by string': svg(`<style>@import "${url}/x.css";</style>${box}`),
    'style sheet import divided by a CDATA section': svg(`<style>@imp<![CDATA[ort "${url}/x.css";]]></style>${box}`),
    'style sheet import divided by a comment': svg(`<style>@imp<!-- -->ort "${url}/x.css";</style>${box}`),
    'style sheet by processing instruction': svg(box, undefined, `<?xml-stylesheet href="${url}/x.css"?>`),
    'style sheet by link element': svg(`<link rel="stylesheet" href="${url}/x.css"/>`),
    'external font': svg(
      `<style>@font-face{font-family:x;src:url(${url}/x.woff)}</style><text y="9" font-family="x">x</text>`,
    ),
    'style sheet import with a CSS escape': svg(`<style>@\\69mport "${url}/x.css";</style>${box}`),
    'entity from a file': svg(
      '<text y="9">&x;</text>',
      undefined,
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ),
    'external entity': svg('<text y="9">&x;</text>', undefined, `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url}/x">]>`),
    'external document type': svg(box, undefined, `<!DOCTYPE svg SYSTEM "${url}/x.dtd">`),
    'external document type with a public id': svg(
      box,
      undefined,
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${url}/x.dtd">`,
    ),
    'parameter entity': svg(box, undefined, `<!DOCTYPE svg [<!ENTITY % x SYSTEM "${url}/x.dtd"> %x;]>`),
    'billion laughs': svg('<text y="9">&a9;</text>', undefined, bomb(9)),
    'quadratic blowup': svg(
      `<text y="9">${'&a;'.repeat(1000)}</text>`,
      undefined,
      `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(10_000)}">]>`,
    ),
    'unknown entity': svg('<text y="9">&x;</text>'),
    'XInclude of a file': svg(
      `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`,
    ),
    'link changed by animate': svg(`<a><animate attributeName="href" values="javascript:alert(1)"/>${box}</a>`),
    'link changed by set': svg(`<a><set attributeName="href" to="javascript:alert(1)"/>${box}</a>`),
    'external base': svg(box, `width="9" height="9" xml:base="${url}"`),
    'huge view box': svg(box, 'viewBox="0 0 1000000000 1000000000"'),
    'huge size': svg(box, 'width="999999999" height="999999999"'),
    'huge size in inches': svg(box, 'width="20000in" height="20000in"'),
    'infinite view box': svg(box, 'width="9" height="9" viewBox="0 0 Infinity NaN"'),
    'huge pattern': svg('<pattern id="p" width="1e9" height="1e9"/><rect fill="url(#p)" width="9" height="9"/>'),
    'unclosed comment': `<svg ${ns} width="9" height="9"><!-- `,
    'unclosed tag': `<svg ${ns} width="9" height="9"><rect `,
    'deep nesting': svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`),
    'script after the end': `${svg(box)}<script>alert(1)</script>`,
    'PHP after the end': `${svg(box)}<?php echo 1 ?>`,
    'UTF-7': `<?xml version="1.0" encoding="UTF-7"?>${svg(box)}`,
  }
}

/** A harmless drawing: red on the left, transparent on the right. */
export const plainSvg = svg(box)

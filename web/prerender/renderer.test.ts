import { expect, test } from 'vitest'
import { extractInlineStyles } from './renderer.tsx'

test('equal styles become one rule, which is as strong as the attribute was', () => {
  const html =
    '<i style="width:1%;flex:1 1 0"></i><b class="x" style="width:2%"></b><i style="width:1%;flex:1 1 0"></i>'
  expect(extractInlineStyles(html)).toEqual({
    html: '<i data-style="0"></i><b class="x" data-style="1"></b><i data-style="0"></i>',
    css: '[data-style="0"]{width:1%!important;flex:1 1 0!important}[data-style="1"]{width:2%!important}',
  })
})

test('escaped characters are those of the style again, and none ends the style element', () => {
  const { css } = extractInlineStyles('<i style="background:url(&quot;/a&amp;b&lt;/style&gt;&quot;)"></i>')
  expect(css).toContain('url("/a&b')
  expect(css).not.toContain('<')
})

test('text that looks like an attribute stays', () => {
  const html = '<p>a style=&quot;x&quot;</p>'
  expect(extractInlineStyles(html)).toEqual({ html, css: '' })
})

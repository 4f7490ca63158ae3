import { describe, expect, test } from 'vitest'
import { waitFor } from '@testing-library/react'
import { currentUser } from '@keepsnap/contract/accounts.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { en } from '../messages/en.ts'
import { useFakeServer } from '../test/fake-server.ts'
import { visit } from '../test/render.tsx'
import { extractInlineStyles } from './renderer.tsx'
import { notFoundHead, pageHeads, type PageName, pageNameOf } from './Head.tsx'

describe('inline styles', () => {
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
})

const server = useFakeServer()

const forVisitors: PageName[] = ['login', 'register']
/** Pages whose title depends on the link that opened them; without a link they show an error. */
const byLink: PageName[] = ['resetPassword', 'verifyEmail', 'subscriptionSuccess']
const names = (Object.keys(pages) as PageName[]).filter((name) => !byLink.includes(name)) // its own keys

test.each(names)('%s has the title that the server has sent', async (name) => {
  const head = pageHeads[name]
  server.answer(currentUser, ({ user }) => user!) // only signed-in users call it
  document.title = ''
  await visit(server, {
    at: pages[name],
    ...(!forVisitors.includes(name) && { token: server.addUser({ is_admin: false }).token }),
  })
  await waitFor(() => expect(document.title).toBe(en.frame.documentTitle(head.title(en))))
})

test('an unknown path has the title of the 404 page', async () => {
  await visit(server, { at: '/nowhere' })
  await waitFor(() => expect(document.title).toBe(en.frame.documentTitle(notFoundHead.title(en))))
  expect(pageNameOf('/nowhere')).toBeUndefined()
})

test('what search engines show is a description of its own, of a length that they show', () => {
  for (const text of Object.values(en.pageDescriptions)) expect(text.length).toBeLessThanOrEqual(200)
})

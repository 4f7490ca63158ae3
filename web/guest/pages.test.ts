import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Letter } from '@keepsnap/contract/guest.ts'
import { requestConsent } from '@keepsnap/contract/requests.ts'
import { createFormat } from '../lib/format.ts'
import { pseudoOf } from '../lib/pseudo.ts'
import { en } from '../messages/en.ts'
import { foreignTexts } from '../test/words.ts'
import { createGuestRenderer } from './renderer.tsx'
import {
  file,
  frame,
  letter,
  letterFrame,
  ownLetters,
  photo,
  photoOnly,
  renderer,
  request,
  script,
  show,
  states,
  style,
} from './test/samples.ts'

const everyState = Object.entries(states)
const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')
const documentOf = (page = request(), around = frame): Document => parse(renderer.renderGuestPage(page, around))
const meta = (page: Document, name: string): string | null | undefined =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content')
const visible = (within: Element): string =>
  Array.from(within.querySelectorAll('h1, p, a, button, label, b, output'))
    .filter((element) => !element.closest('[hidden], details, [aria-hidden]'))
    .map((element) => element.textContent)
    .join(' | ')

describe('every state of a guest page', () => {
  test.each(everyState)('%s is a whole document that nobody indexes', (_, page) => {
    const html = renderer.renderGuestPage(page, frame)
    expect(html).toMatch(/^<!doctype html><html lang="en"><head><meta charSet="utf-8"\/>/)
    const parsed = parse(html)
    expect(parsed.title).toMatch(/ · Keepsnap$/)
    expect(meta(parsed, 'robots')).toBe('noindex')
    expect(meta(parsed, 'viewport')).toContain('viewport-fit=cover')
    expect(parsed.querySelectorAll('main')).toHaveLength(1)
    expect(Array.from(parsed.querySelectorAll('h1')).filter((one) => !one.closest('[hidden]'))).toHaveLength(1)
    expect(parsed.querySelector('nav')).toBeNull()
  })

  test.each(everyState)('%s needs no inline style, handler or foreign address', (_, page) => {
    const parsed = parse(renderer.renderGuestPage(page, frame))
    expect(parsed.querySelector('[style], [onclick], [onload], [onsubmit]')).toBeNull()
    for (const element of parsed.querySelectorAll('[src]'))
      expect(element.getAttribute('src')).toMatch(/^(data:image\/svg\+xml,|https:\/\/fotos\.example\/[bt]\/)/)
  })

  test.each(everyState)('%s says every sentence from the catalogue', (_, page) => {
    const pseudo = createGuestRenderer({
      style,
      script,
      language: { tag: 'en', text: pseudoOf(en), format: createFormat('en') },
    })
    const main = show(page, pseudo)
    expect(foreignTexts(document.body)).toEqual([])
    expect(document.title).toMatch(/^⟦.+⟧$/)
    const kept = main.querySelector<HTMLElement>('[data-words]')?.dataset['words']
    const english: unknown[] = []
    JSON.parse(
      kept ?? '{}',
      (_, said: unknown) => typeof said === 'string' && !/^⟦.*⟧$/.test(said) && english.push(said),
    )
    expect(english).toEqual([])
    for (const name of ['photo', 'here', 'busy', 'ready']) {
      const said = main.querySelector<HTMLElement>(`[data-${name}]`)?.dataset[name]
      expect(said ?? '⟦⟧').toMatch(/^⟦.*⟧$/)
    }
  })

  test('carries the style and the script whose hashes the policy names', () => {
    const page = documentOf()
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(Array.from(page.querySelectorAll('style'), (one) => hash(one.textContent))).toEqual(renderer.inlineStyles)
    expect(Array.from(page.querySelectorAll('script'), (one) => hash(one.textContent))).toEqual(renderer.inlineScripts)
  })

  test('gives chat apps a card, with a picture only where one may be seen', () => {
    expect(meta(documentOf(), 'og:title')).toBe('Get your photo')
    expect(meta(documentOf(), 'og:url')).toBe('https://fotos.example/request-photo/abc')
    expect(meta(documentOf(), 'og:image')).toBeUndefined()
    expect(meta(documentOf(request(), { ...frame, previewUrl: '/t/abc' }), 'og:image')).toBe(
      'https://fotos.example/t/abc',
    )
  })

  test('shows scripts in names and addresses as text', () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`
    const pages = [
      request({ state: 'bad', email: nasty, problem: nasty, photo: { ...photo, filename: nasty, thumbhash: nasty } }),
      request({ state: 'sent', email: `${nasty}@example.com`, photo: { ...photo, id: nasty, thumbnailUrl: nasty } }),
      photoOnly({ photo: { ...photo, filename: nasty }, file: { ...file, downloadUrl: nasty, type: nasty } }),
    ]
    for (const page of pages) {
      const parsed = parse(renderer.renderGuestPage(page, { ...frame, previewUrl: null }))
      expect(Array.from(parsed.querySelectorAll('script'), (one) => one.textContent)).toEqual([script])
      expect(parsed.querySelector('[onerror]')).toBeNull()
    }
    expect(
      documentOf(pages[0] as ReturnType<typeof request>)
        .querySelector('[name=email]')
        ?.getAttribute('value'),
    ).toBe(nasty) // the first of the list
  })
})

describe('the request page', () => {
  test('asks with one field, the consent beside it, and a way out', () => {
    const said = visible(show(request()))
    for (const part of ['Where shall we send your photo?', 'Send Photo', 'Cancel', requestConsent.sentence])
      expect(said).toContain(part)
    const field = document.querySelector<HTMLInputElement>('[name=email]')!
    expect([field.type, field.autocomplete, field.inputMode, field.required]).toEqual(['email', 'email', 'email', true])
    expect(document.querySelector(`label[for="${field.id}"]`)?.textContent).toBe('Your e-mail address')
  })

  test('works as a plain form, with a trap that people neither see nor hear', () => {
    show(request())
    const form = document.querySelector<HTMLFormElement>('form')!
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', `/request-photo/${photo.id}`])
    const trap = form.querySelector<HTMLInputElement>('[name=website]')!
    expect([trap.tabIndex, trap.getAttribute('autocomplete'), trap.required]).toEqual([-1, 'off', false])
    expect(trap.closest('.sr[aria-hidden=true]')).not.toBeNull()
    expect(Array.from(form.elements, (element) => element.getAttribute('name')).filter(Boolean)).toEqual([
      'email',
      'website',
    ])
  })

  test('keeps a refused address, and says at the field what is wrong', () => {
    show(
      request({ state: 'bad', email: 'lotte@example', problem: 'This address misses its ending, such as .com or .be' }),
    )
    const field = document.querySelector<HTMLInputElement>('[name=email]')!
    expect([field.value, field.getAttribute('aria-invalid'), field.hasAttribute('autofocus')]).toEqual([
      'lotte@example',
      'true',
      true,
    ])
    const error = document.querySelector(`#${field.getAttribute('aria-describedby')}`)!
    expect([error.textContent, error.getAttribute('role')]).toEqual([
      'This address misses its ending, such as .com or .be',
      'alert',
    ])
  })

  test('says a failure and its reason, and keeps the address', () => {
    show(request({ state: 'failed', email: 'lotte@example.com', problem: 'Too many letters today.' }))
    const note = document.querySelector('[data-failed]:not([hidden]) [role=alert]')
    expect(note?.textContent).toBe('Failed to submit request. Please try again later. Too many letters today.')
    expect(document.querySelector<HTMLInputElement>('[name=email]')?.value).toBe('lotte@example.com')
  })

  test('repeats the address afterwards, and offers another', () => {
    const said = visible(show(request({ state: 'sent', email: 'lotte@example.com' })))
    for (const part of [
      'Request Submitted!',
      'lotte@example.com',
      'Look in spam',
      'Send to another address',
      'Email request submitted successfully! Please check your inbox.',
    ])
      expect(said).toContain(part)
    expect(said).not.toContain('Where shall we send')
    expect(document.querySelector<HTMLInputElement>('[name=email]')?.value).toBe('')
  })

  test('waits with the guest without taking away what they type', () => {
    const main = show(request({ processing: true, photo: { ...photo, thumbnailUrl: null } }))
    expect(main.querySelector('output')?.textContent).toContain('Still developing.It appears here by itself.')
    expect(main.dataset['wait']).toBe('show')
    expect(documentOf(request({ processing: true })).querySelector('meta[http-equiv]')).toBeNull()
  })

  test('says that letters cannot go from here', () => {
    const said = visible(show(request({ state: 'off' })))
    expect(said).toContain('E-mail is not set up')
    expect(document.querySelector('[name=email]')).toBeNull()
  })
})

describe('the page of the photo', () => {
  test('has one big link to the file, its size and until when it works, in UTC', () => {
    const said = visible(show(photoOnly()))
    const link = document.querySelector<HTMLAnchorElement>('a.btn--primary')!
    expect([link.textContent, link.getAttribute('href'), link.download]).toEqual([
      'Download',
      '/g/secret/download',
      photo.filename,
    ])
    expect(said).toContain('2.4 MB · this link works until Tuesday 17 November at 22:51 UTC')
  })

  test('offers Save and the plain file on iOS', () => {
    const said = visible(show(photoOnly({ by: 'code', ios: true, expiresAt: null })))
    expect(said).toContain('Save')
    expect(said).toContain('Plain file')
    expect(document.querySelector('time')).toBeNull()
  })

  test('looks again by itself while the photo is developed, also without JavaScript', () => {
    const html = renderer.renderGuestPage(photoOnly({ file: null }), frame)
    expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="\d+"\/><\/noscript>/i)
    expect(show(photoOnly({ file: null })).dataset['wait']).toBe('reload')
    expect(show(photoOnly({ file: null, by: 'code', ios: false })).dataset['wait']).toBe('show')
    expect(html).not.toContain('/g/secret/download')
  })

  test('keeps the place of every shape', () => {
    for (const [width, height, size] of [
      [1000, 1500, 'width="2731" height="4096"'],
      [20, 20, 'width="4096" height="4096"'],
      [null, null, 'width="4096" height="2731"'],
    ] as const) {
      show(photoOnly({ photo: { ...photo, width, height } }))
      expect(decodeURIComponent(document.querySelector('.guest__shape')?.getAttribute('src') ?? '')).toContain(size)
    }
  })
})

describe('what is not there', () => {
  test('is said in the words of the spec', () => {
    const said = visible(show({ page: 'gone', why: 'photo' }))
    expect(said).toContain('Unable to load photo details. The photo may not exist or may be private.')
    expect(said).toContain('Back to Home')
  })
  test('an old link says what to do', () => {
    const said = visible(show({ page: 'gone', why: 'expired' }))
    expect(said).toContain('This link has expired')
    expect(said).toContain('72 hours. Scan the code again')
  })
})

test.each(['photo with a brand', 'form with a brand'])('%s shows the logo, and names nobody', (name) => {
  const logo = show(states[name]!).querySelector('.guest__logo img')
  expect(logo?.getAttribute('src')).toBe('https://fotos.example/b/logo')
  expect([logo?.getAttribute('width'), logo?.getAttribute('alt')]).toEqual(['800', ''])
  expect(show(states['form']!).querySelector('.guest__logo')).toBeNull()
})

test('a photo is reported by a plain form, closed until it is asked for', () => {
  show(photoOnly())
  const form = document.querySelector<HTMLFormElement>('details:not([open]) form')!
  expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', `/report-photo/${photo.id}`])
  expect(form.querySelectorAll('[name=reason][required]')).toHaveLength(5)
  expect(form.querySelector<HTMLTextAreaElement>('[name=note]')?.maxLength).toBe(500)
  expect(visible(show(states['reported']!))).toContain('Thank you')
  expect(show(states['reported without a reason']!).querySelector('[role=alert]')?.textContent).toBe(
    'Please choose a reason.',
  )
})

describe('the page that stops letters', () => {
  const stop = (state: 'ask' | 'stopped') => ({ page: 'stop', state, action: `/stop/secret-${state}` }) as const

  test('says what its one button does, and the button is a plain form', () => {
    const said = visible(show(stop('ask')))
    expect(said).toContain('No more photos to your address?')
    expect(said).toContain('fotos.example sends no more photos to the address that the letter came to')
    const form = document.querySelector<HTMLFormElement>('form')!
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', '/stop/secret-ask'])
    expect(Array.from(form.elements, (one) => one.textContent)).toEqual(['Stop photos to my address'])
    expect(document.querySelector('script')).toBeNull()
  })

  test('offers the way back afterwards', () => {
    expect(visible(show(stop('stopped')))).toContain('No more photos will be sent')
    const form = document.querySelector<HTMLFormElement>('form')!
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', '/stop/secret-stopped'])
    expect(form.textContent).toBe('Let photos come again')
  })

  test('says the address of no page that does something, where others copy addresses from', () => {
    const page = parse(renderer.renderGuestPage(stop('ask'), { ...frame, path: '/stop' }))
    expect(page.head.innerHTML).not.toContain('secret')
  })
})

describe('a letter with a photo', () => {
  const written = renderer.renderLetter(letter, letterFrame)

  test('says the same as HTML and as plain text, under a short subject', () => {
    expect(written.subject).toBe('Your photo')
    const html = parse(written.html)
    for (const part of [
      'Here is your photo',
      letter.url,
      'The link works until Friday 20 November at 22:51 UTC.',
      'attached to this letter',
      'Sample Company',
      'Samplestreet 1, Brussels · hello@example.com',
    ]) {
      expect(html.body.textContent).toContain(part)
      expect(written.text).toContain(part)
    }
    const links = Array.from(html.querySelectorAll('a'), (link) => link.getAttribute('href'))
    expect(links).toEqual([letter.url, letter.stopUrl])
    expect(renderer.renderLetter({ ...letter, attached: false }, letterFrame).text).not.toContain('attached')
  })

  test('loads nothing from anywhere, and knows the dark', () => {
    expect(written.html).not.toMatch(/<img|<link|<script|url\(|@import|src=/i)
    expect(written.html).toContain('prefers-color-scheme:dark')
    expect(
      written.html
        .match(/https?:\/\/[^"<\s]+/g)
        ?.every((address) => address === letter.url || address === letter.stopUrl),
    ).toBe(true)
    expect(written.html.length).toBeLessThan(20_000)
  })

  test('says quietly, at its end, how to get no more of them', () => {
    const words = 'Or stop all photos to this address'
    const link = Array.from(parse(written.html).querySelectorAll('a')).at(-1)
    expect([link?.textContent, link?.getAttribute('href')]).toEqual([words, letter.stopUrl])
    expect(written.text.split('-- \n')[1]).toContain(
      `you need not do anything: no more photos are sent unless your address is typed again.\n\n${words}:\n${letter.stopUrl}\n`,
    )
    for (const one of Object.values(ownLetters))
      expect(renderer.renderLetter(one, letterFrame).html).not.toContain(words)
  })

  test('shows markup and line ends in values as text', () => {
    const nasty = '<a href="https://evil.example">x</a>\r\nBcc: a@b.example'
    const bad = renderer.renderLetter(
      { ...letter, filename: nasty },
      { ...letterFrame, operator: { name: nasty, address: nasty, email: nasty } },
    )
    expect(parse(bad.html).querySelectorAll('a')).toHaveLength(2)
    expect(bad.text).not.toMatch(/^Bcc:/m)
    expect(bad.subject).toBe('Your photo')
  })

  test('carries the logo of the photographer, which travels with it, in its proportions', () => {
    const logo = { cid: 'logo', width: 1000, height: 400 }
    const html = parse(renderer.renderLetter({ ...letter, logo }, letterFrame).html)
    const images = Array.from(html.querySelectorAll('img'), (image) => [
      image.getAttribute('src'),
      image.getAttribute('width'),
    ])
    expect(images).toEqual([['cid:logo', '180']])
    expect(html.body.textContent).toContain('Sent with Keepsnap')
  })
})

describe('a letter about an account', () => {
  test.each(Object.entries(ownLetters))('%s says the same as HTML and as plain text, and one thing to do', (_, one) => {
    const { html, text, subject } = renderer.renderLetter(one, letterFrame)
    const { body } = parse(html)
    const said = Array.from(body.querySelectorAll('h1, p'), (part) => part.textContent ?? '')
    for (const sentence of said.filter((part) => !part.startsWith('If the button'))) expect(text).toContain(sentence)
    expect(body.textContent).toContain('Friday 20 November at 22:51 UTC')
    expect(subject).toMatch(/^[^\r\n]{10,60}$/)
    const addresses = Array.from(body.querySelectorAll('a'), (link) => link.getAttribute('href'))
    const forgotten = one.kind === 'password-changed' ? ['https://fotos.example/forgot-password'] : []
    expect(addresses).toEqual('url' in one ? [one.url] : forgotten)
    expect(html).not.toMatch(/<img|<link|<script|url\(|@import|src=/i)
    expect(html.length).toBeLessThan(20_000)
  })

  test('advertises nothing', () => {
    const all = [letter, ...Object.values(ownLetters)].map((one) => renderer.renderLetter(one, letterFrame).text).join()
    expect(all).not.toMatch(/\bpro\b|upgrade|offer|discount|pricing|plan|news|subscri/i)
  })

  test('names the new address, and whom to tell, when the address was changed', () => {
    const { text } = renderer.renderLetter(ownLetters['email-changed']!, letterFrame)
    expect(text).toContain('l…e@example.com')
    expect(text).toContain('write to hello@example.com')
  })
})

test.each(Object.entries({ photo: letter, ...ownLetters }))(
  'the letter %s says every sentence from the catalogue',
  (_, one: Letter) => {
    const language = { tag: 'en', text: pseudoOf(en), format: createFormat('en') }
    const { html, subject, text } = createGuestRenderer({ style, script, language }).renderLetter(one, letterFrame)
    expect(foreignTexts(parse(html).body)).toEqual([])
    expect(subject).toMatch(/^⟦.*⟧$/)
    const own = [letter.filename, letterFrame.operator.address]
    const lines = text
      .split('\n')
      .filter((part) => /\p{L}/u.test(part) && !/^https:\S+$/.test(part) && !own.some((value) => part.includes(value)))
    expect(lines.filter((part) => !part.startsWith('⟦'))).toEqual([])
  },
)

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { requestConsent } from '@keepsnap/contract/guests.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { createFormat } from '../lib/format.ts'
import { pseudoCatalogue } from '../lib/development-language.ts'
import { en } from '../messages/en.ts'
import { untranslatedTexts } from '../test/translated-text.ts'
import {
  checkout,
  eventPage,
  file,
  frame,
  galleryScript,
  kept,
  photo,
  photoId,
  photoOnly,
  renderer,
  rendererIn,
  request,
  samplePages,
  scannedScript,
  script,
  show,
} from './test/samples.ts'
import { createDateTimeFormat, createZonedDateTimeFormat } from './date-time.ts'
import { createPlaceholderRenderer } from './placeholder.ts'

const everyPage = Object.entries(samplePages)
const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')
const documentOf = (page = request(), around = frame): Document => parse(renderer.renderGuestPage(page, around))
const meta = (page: Document, name: string): string | null | undefined =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content')
const visible = (within: Element): string =>
  Array.from(within.querySelectorAll('h1, p, a, button, label, b, output'))
    .filter((element) => !element.closest('[hidden], details, [aria-hidden]'))
    .map((element) => element.textContent)
    .join(' | ')

test('the gallery of an event leads to both orders and to each hour without any script', () => {
  const main = show(samplePages['an hour of a gallery']!)
  const linksOf = (list: Element | null) =>
    Array.from(list?.querySelectorAll('a') ?? [], (link) => [
      link.textContent,
      link.getAttribute('href'),
      link.hasAttribute('aria-current'),
    ])
  const { path } = eventPage()
  expect(linksOf(main.querySelector('.gallery__order'))).toEqual([
    ['By time added', `${path}#photos`, false],
    ['By time taken', `${path}?order=taken`, true],
  ])
  const hour = (text: string, end: string, isCurrent = false) => [text, `${path}?order=taken&until=${end}`, isCurrent]
  expect(Array.from(main.querySelectorAll('.gallery__hours ol'), linksOf)).toEqual([
    [hour('20:00 1', '2026-11-15T20:00:00.000Z')],
    [hour('00:00 1,200', '2026-11-15T00:00:00.000Z'), hour('22:00 12', '2026-11-14T22:00:00.000Z', true)],
  ])
  expect(main.querySelector('.gallery__hours')?.textContent).toContain('Sat 14 November')
  expect(main.querySelector('.gallery__head a')?.getAttribute('href')).toBe(`${path}?order=taken`)
  expect(show(eventPage()).querySelector('.gallery__order, .gallery__hours')).toBeNull()
})

describe('every guest page', () => {
  test.each(everyPage)(
    '%s is a complete document, not indexed, without inline styles, event handlers and other sites',
    (_, page) => {
      const html = renderer.renderGuestPage(page, frame)
      expect(html).toMatch(/^<!doctype html><html lang="en"><head><meta charSet="utf-8"\/>/)
      const parsed = parse(html)
      expect(parsed.title).toMatch(/ · Keepsnap$/)
      expect(meta(parsed, 'robots')).toBe('noindex')
      expect(meta(parsed, 'viewport')).toContain('viewport-fit=cover')
      expect(parsed.querySelectorAll('main')).toHaveLength(1)
      expect(Array.from(parsed.querySelectorAll('h1')).filter((one) => !one.closest('[hidden]'))).toHaveLength(1)
      expect(parsed.querySelector('nav, [style], [onclick], [onload], [onsubmit]')).toBeNull()
      const own = /^(data:image\/svg\+xml,|https:\/\/fotos\.example\/[bt]\/|\/pictures\/|\/[ae]\/[^/]+\/p\/)/
      for (const element of parsed.querySelectorAll('[src]')) expect(element.getAttribute('src')).toMatch(own)
    },
  )

  const pseudo = rendererIn({ tag: 'en', text: pseudoCatalogue(en), format: createFormat('en') })
  test.each(everyPage)('%s takes every sentence from the catalogue', (_, page) => {
    const main = show(page, pseudo)
    expect(untranslatedTexts(document.body)).toEqual([])
    expect(document.title).toMatch(/^⟦.+⟧$/)
    const texts: unknown[] = []
    const messages = main.querySelector<HTMLElement>('[data-messages]')?.dataset['messages'] ?? '{}'
    JSON.parse(messages, (_, text: unknown) => typeof text === 'string' && texts.push(text))
    for (const name of ['photo', 'ready', 'busy', 'tap-again'])
      texts.push(main.querySelector(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? '⟦⟧')
    for (const text of texts) expect(text).toMatch(/^⟦.*⟧$/)
  })

  test('contains exactly the styles and scripts whose hashes go into the content security policy', () => {
    const page = documentOf()
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const stylesOf = (from: Document) => Array.from(from.querySelectorAll('style'), (one) => hash(one.textContent))
    const [usualStyle] = renderer.inlineStyles
    expect(stylesOf(page)).toEqual([usualStyle])
    expect(stylesOf(parse(renderer.renderGuestPage(checkout(), frame)))).toEqual([
      usualStyle,
      ...renderer.checkoutStyles,
    ])
    const scriptsOf = (from: Document) => Array.from(from.querySelectorAll('script'), (one) => hash(one.textContent))
    const gallery = parse(renderer.renderGuestPage(eventPage(), frame))
    const scanned = parse(renderer.renderGuestPage(request({ kept }), frame))
    const [usual, ofGallery, , ofScanned] = renderer.inlineScripts
    expect([page, gallery, scanned].map(scriptsOf)).toEqual([[usual], [ofGallery, ofScanned], [usual, ofScanned]])
  })

  test('requests the font at once, and is first painted when all of its content is parsed', () => {
    const page = documentOf()
    const preload = page.querySelector('link[rel="preload"][as="font"]')
    // Without `crossorigin` the browser requests the font twice.
    expect([preload?.getAttribute('href'), preload?.getAttribute('crossorigin')]).toEqual(['/assets/font.woff2', ''])
    const awaited = page.querySelector('link[rel="expect"][blocking="render"]')?.getAttribute('href') ?? ''
    const elements = Array.from(page.body.children).filter(({ tagName }) => tagName !== 'SCRIPT')
    expect(`#${elements.at(-1)?.id}`).toBe(awaited)
  })

  test('has link preview tags, with an image only if one is allowed', () => {
    expect(meta(documentOf(), 'og:title')).toBe('Get your photo')
    expect(meta(documentOf(), 'og:url')).toBe('https://fotos.example/request-photo/abc')
    expect(meta(documentOf(), 'og:image')).toBeUndefined()
    expect(meta(documentOf(request(), { ...frame, previewUrl: '/t/abc' }), 'og:image')).toBe(
      'https://fotos.example/t/abc',
    )
  })

  test('escapes markup in names, addresses and URLs', () => {
    const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`
    const pages = [
      request({
        state: 'bad',
        email: markup,
        problem: markup,
        photo: { ...photo, filename: markup, thumbhash: markup },
      }),
      request({
        state: 'sent',
        email: `${markup}@example.com`,
        photo: { ...photo, callsPath: markup, pagePath: markup, formPath: markup, thumbnailUrl: markup },
      }),
      photoOnly({ photo: { ...photo, filename: markup }, file: { ...file, downloadUrl: markup, type: markup } }),
      eventPage({ name: markup, owner: markup, path: markup, next: markup }),
    ]
    for (const page of pages) {
      const parsed = parse(renderer.renderGuestPage(page, { ...frame, previewUrl: null }))
      expect(Array.from(parsed.querySelectorAll('script'), (one) => one.textContent)).toEqual(
        page.page === 'event' ? [galleryScript, scannedScript] : [script],
      )
      expect(parsed.querySelector('[onerror]')).toBeNull()
    }
    expect(
      documentOf(pages[0] as ReturnType<typeof request>)
        .querySelector('[name=email]')
        ?.getAttribute('value'),
    ).toBe(markup) // the first of the list
  })
})

describe('the request page', () => {
  test('asks for the email address, with the consent sentence and a way to cancel', () => {
    const text = visible(show(request()))
    for (const part of ['Where should we send your photo?', 'Send Photo', 'Cancel', requestConsent.sentence])
      expect(text).toContain(part)
    const field = document.querySelector<HTMLInputElement>('[name=email]')!
    expect([field.type, field.autocomplete, field.inputMode, field.required]).toEqual(['email', 'email', 'email', true])
    expect(document.querySelector(`label[for="${field.id}"]`)?.textContent).toBe('Your email address')
    const inGallery = request({ photo: { ...photo, pagePath: '/e/x/p/y' }, galleryPath: '/e/x' })
    expect(visible(show(inGallery))).toMatch(/^(?!.*Cancel).*All photos of tonight/)
  })

  test('works as a plain form, with a honeypot field that is hidden from people', () => {
    show(request())
    const form = document.querySelector<HTMLFormElement>('form')!
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', `/request-photo/${photoId}`])
    const honeypot = form.querySelector<HTMLInputElement>('[name=website]')!
    expect([honeypot.tabIndex, honeypot.getAttribute('autocomplete'), honeypot.required]).toEqual([-1, 'off', false])
    expect(honeypot.closest('.visually-hidden[aria-hidden=true]')).not.toBeNull()
    expect(Array.from(form.elements, (element) => element.getAttribute('name')).filter(Boolean)).toEqual([
      'email',
      'language',
      'website',
    ])
  })

  test('keeps the address, says why the request failed, and shows an error of the address beside the field', () => {
    show(request({ state: 'failed', email: 'lotte@example.com', problem: 'Too many emails today.' }))
    const failure = document.querySelector('[data-failed]:not([hidden]) [role=alert]')
    expect(failure?.textContent).toBe('Failed to submit request. Please try again later. Too many emails today.')
    expect(document.querySelector<HTMLInputElement>('[name=email]')?.value).toBe('lotte@example.com')
    show(request({ state: 'bad', email: 'lotte@example', problem: 'The address is missing its ending, such as .com' }))
    const field = document.querySelector<HTMLInputElement>('[name=email]')!
    expect([field.value, field.getAttribute('aria-invalid'), field.hasAttribute('autofocus')]).toEqual([
      'lotte@example',
      'true',
      true,
    ])
    const error = document.querySelector(`#${field.getAttribute('aria-describedby')}`)!
    const note = document.querySelector('[data-failed]:not([hidden]) [role=alert]')
    expect(note?.textContent).toBe('Failed to submit request. Please try again later.')
    expect([error.textContent, error.getAttribute('role')]).toEqual([
      'The address is missing its ending, such as .com',
      'alert',
    ])
  })

  test('shows the address after sending and offers to enter another', () => {
    const text = visible(show(request({ state: 'sent', email: 'lotte@example.com' })))
    for (const part of [
      'Request Submitted!',
      'lotte@example.com',
      'Check your spam folder',
      'Send to another address',
      'Email request submitted successfully! Please check your inbox.',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Where should we send')
    expect(document.querySelector<HTMLInputElement>('[name=email]')?.value).toBe('')
  })

  test('waits for the photo without reloading, so that input is kept', () => {
    const main = show(request({ processing: true, photo: { ...photo, thumbnailUrl: null } }))
    expect(main.querySelector('output')?.textContent).toContain('Still processing.It will appear here automatically.')
    expect(main.dataset['wait']).toBe('show')
    expect(documentOf(request({ processing: true })).querySelector('meta[http-equiv]')).toBeNull()
  })

  test('says that email is not set up', () => {
    const text = visible(show(request({ state: 'off' })))
    expect(text).toContain('Email isn’t set up')
    expect(document.querySelector('[name=email]')).toBeNull()
  })
})

describe('the photo page', () => {
  test('links to the file and shows its size and the expiry by the clock of the owner', () => {
    const text = visible(show(photoOnly()))
    const link = document.querySelector<HTMLAnchorElement>('a.btn--primary')!
    expect([link.textContent, link.getAttribute('href')]).toEqual(['Download', file.downloadUrl])
    expect(text).toContain('2.4 MB · this link works until Tuesday 17 November at 23:51')
  })

  test('offers Save and a plain download on iOS', () => {
    const text = visible(show(photoOnly({ by: 'code', ios: true, expiresAt: null })))
    expect(text).toContain('Save')
    expect(text).toContain('Download file')
    expect(document.querySelectorAll('.guest__actions .btn')).toHaveLength(1)
    expect(document.querySelector('time')).toBeNull()
  })

  test.each([
    ['photo by email', 1],
    ['photo by code on iOS', 2],
    ['photo of unknown size while processing', 1],
  ])('of %s has links that also show a page, because nothing names what they save', (name, count) => {
    show(samplePages[name]!)
    const links = document.querySelectorAll('.guest__actions a')
    expect(Array.from(links, (link) => link.hasAttribute('download'))).toEqual(Array(count).fill(false))
  })

  test('of a sample names the file, which the server does not send as an attachment', () => {
    for (const name of ['sample', 'sample on iOS']) {
      show(samplePages[name]!)
      const links = document.querySelectorAll('.guest__actions a')
      for (const link of links) expect(link.getAttribute('download')).toMatch(/^keepsnap-[a-z]+\.webp$/)
    }
  })

  test('reloads while the photo is processed, also without JavaScript', () => {
    const html = renderer.renderGuestPage(photoOnly({ file: null }), frame)
    expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="\d+"\/><\/noscript>/i)
    expect(show(photoOnly({ file: null })).dataset['wait']).toBe('reload')
    expect(show(photoOnly({ file: null, by: 'code', ios: false })).dataset['wait']).toBe('show')
    expect(html).not.toContain('/g/secret/download')
  })
})

describe('the page of an event', () => {
  const emails = { required: true, answer: null }
  const form = (page: GuestPage): unknown[] => {
    const found = show(page).querySelector<HTMLFormElement>('.gallery__form form')
    return found ? [found.getAttribute('action'), ...new FormData(found).keys()] : []
  }
  const coming = { state: 'coming', photos: [], next: null, opensAt: '2026-11-14T21:00:00Z' } as const
  const archive = { photos: 3, bytes: 9_000_000, url: null }
  const action = '/e/Jx0Qz8vN3mWq5tRb7yKc1b/request-email'

  test.each([
    [
      'tells of the opening before it opens',
      { ...coming, emails },
      [action, 'email', 'tell_me', 'language', 'website'],
    ],
    ['sends a link to all photos', { archive, emails }, [action, 'email', 'archive', 'language', 'website']],
    ['asks for nothing where it offers the file itself', { archive: { ...archive, url: '/e/x/archive' }, emails }, []],
    ['asks for nothing where no emails are sent', { ...coming, emails: null }, []],
  ])('%s', (_, more, expected) => {
    expect(form(eventPage(more))).toEqual(expected)
  })

  test('the answer to a form without a script is in its place, opened', () => {
    const answer = { to: 'archive', state: 'sent', email: 'lotte@example.com', problem: null } as const
    const main = show(eventPage({ archive, emails: { required: true, answer } }))
    expect(main.querySelector<HTMLDetailsElement>('.gallery__form')?.open).toBe(true)
    expect(main.querySelector('.gallery__form form')?.hasAttribute('hidden')).toBe(true)
    expect(main.querySelector('.gallery__form [data-sent]')?.textContent).toContain('lotte@example.com')
    const notice = show(eventPage({ ...coming, emails: { required: true, answer: { ...answer, to: 'tell_me' } } }))
    expect(notice.querySelector('[data-sent] h2')?.textContent).toBe('We’ll tell you when they open')
  })

  test('of its photos’ pages, the form asks whether to tell of the opening, unticked, only where it opens later', () => {
    const box = (page: GuestPage): HTMLInputElement | null => show(page).querySelector('.guest__box input')
    expect(box(request({ kept, opensAt: '2026-11-14T21:00:00Z' }))?.checked).toBe(false)
    expect(box(request({ kept, opensAt: null }))).toBe(null)
  })
})

describe('a page that is not available', () => {
  test.each([
    ['photo', ['Unable to load photo details. The photo may not exist or may be private.', 'Back to Home']],
    ['expired', ['This link has expired', '72 hours. Scan the code again']],
  ] as const)('says why (%s) and what to do', (why, sentences) => {
    const text = visible(show({ page: 'gone', why }))
    for (const sentence of sentences) expect(text).toContain(sentence)
    expect(text).not.toMatch(/new code/)
  })

  test.each([
    [true, 'it loads again by itself'],
    [false, 'Please go back and send it again in a minute.'],
  ])('for a moment loads again by itself: %s, not as the answer to a form', (loadsAgain, sentence) => {
    const html = renderer.renderGuestPage(
      { page: 'gone', why: 'unavailable' },
      { ...frame, hasLanguageLinks: loadsAgain },
    )
    expect(html.includes('<meta http-equiv="refresh"')).toBe(loadsAgain)
    expect(html.includes('by itself')).toBe(loadsAgain)
    expect(html).toContain(sentence)
  })
})

test.each(['photo with a brand', 'form with a brand'])('%s shows the logo without a name', (name) => {
  const logo = show(samplePages[name]!).querySelector('.guest__logo img')
  expect(logo?.getAttribute('src')).toBe('https://fotos.example/b/logo')
  expect([logo?.getAttribute('width'), logo?.getAttribute('alt')]).toEqual(['800', ''])
  expect([logo?.getAttribute('data-ground'), logo?.getAttribute('data-ground-dark')]).toEqual(['ink', 'none'])
  expect(show(samplePages['form']!).querySelector('.guest__logo')).toBeNull()
})

test('a photo is reported with a plain form, collapsed at first', () => {
  show(photoOnly())
  const form = document.querySelector<HTMLFormElement>('details:not([open]) form')!
  expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', `/report-photo/${photoId}`])
  expect(form.querySelectorAll('[name=reason][required]')).toHaveLength(5)
  expect(form.querySelector<HTMLTextAreaElement>('[name=note]')?.maxLength).toBe(500)
  expect(visible(show(samplePages['reported']!))).toContain('Thank you')
  expect(show(samplePages['reported without a reason']!).querySelector('[role=alert]')?.textContent).toBe(
    'Please choose a reason.',
  )
  expect(document.querySelector('textarea')?.value).toBe('The girl in the middle')
  expect(document.querySelector('[autofocus]')?.getAttribute('name')).toBe('reason')
})

describe('the unsubscribe page', () => {
  const unsubscribePage = (state: 'ask' | 'stopped') =>
    ({ page: 'unsubscribe', state, action: `/stop/secret-${state}` }) as const

  test.each([
    ['ask', ['Stop receiving photos?', 'to stop fotos.example from sending photos'], 'Stop sending me photos'],
    ['stopped', ['No more photos will be sent'], 'Allow photos again'],
  ] as const)('in the state %s says what its button does, which is a plain form', (state, sentences, button) => {
    const text = visible(show(unsubscribePage(state)))
    for (const sentence of sentences) expect(text).toContain(sentence)
    const form = document.querySelector<HTMLFormElement>('form')!
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', `/stop/secret-${state}`])
    expect(Array.from(form.elements, (one) => one.textContent)).toEqual([button])
    expect(document.querySelector('script')).toBeNull()
  })

  test('does not put its secret URL into the canonical link or the link preview', () => {
    const page = parse(renderer.renderGuestPage(unsubscribePage('ask'), { ...frame, path: '/stop' }))
    expect(page.head.innerHTML).not.toContain('secret')
  })
})

describe('DemoCheckoutPage', () => {
  const formsOf = (main: HTMLElement) => Array.from(main.querySelectorAll('form'))
  const radio = (value: string) => document.querySelector<HTMLInputElement>(`input[type=radio][value=${value}]`)

  test('a form posts the outcome to its own address, without a script', () => {
    const [pay, cancel] = formsOf(show(checkout()))
    for (const form of [pay, cancel])
      expect([form?.method, form?.getAttribute('action')]).toEqual(['post', '/demo-checkout/demo_cs_1'])
    expect(new FormData(pay).getAll('outcome')).toEqual(['succeed'])
    expect(new FormData(cancel).getAll('outcome')).toEqual(['cancel'])
    radio('decline')!.checked = true
    expect(new FormData(pay).getAll('outcome')).toEqual(['decline'])
    expect(document.querySelector('script')).toBeNull()
  })

  test('a company is named in fields of the same form, which are shown while the box is ticked', () => {
    const main = show(checkout())
    const [pay] = formsOf(main)
    expect(new FormData(pay).has('as_business')).toBe(false)
    const refused = show(
      checkout({
        state: 'bad',
        business: {
          isChosen: true,
          fields: { name: 'Fotohuis BV', vat_number: 'BE0123456748', street: '', postal_code: '', city: 'Gent' },
          problems: { vat_number: 'digits', street: 'missing', postal_code: 'missing' },
        },
      }),
    )
    expect(Object.fromEntries(new FormData(formsOf(refused)[0]))).toEqual({
      outcome: 'succeed',
      as_business: 'yes',
      name: 'Fotohuis BV',
      vat_number: 'BE0123456748',
      street: '',
      postal_code: '',
      city: 'Gent',
    })
    expect(refused.querySelector('[role=alert]')?.textContent).toMatch(/^Please check the details of your company/)
    const errors = Array.from(refused.querySelectorAll('.error'), ({ textContent }) => textContent)
    expect(errors).toEqual([
      expect.stringContaining('its check digits do not match'),
      'Please enter the street and number',
      'Please enter the postal code',
    ])
    expect(refused.querySelectorAll('[autofocus]')).toHaveLength(1)
    expect(refused.querySelector('[autofocus]')).toHaveAttribute('name', 'vat_number')
  })

  test('after a refusal, the reason is announced and the card that was declined is still chosen', () => {
    const main = show(checkout({ state: 'declined' }))
    expect(main.querySelector('[role=alert]')?.matches('[autofocus][tabindex="-1"]')).toBe(true)
    expect(main.querySelector('[role=alert]')?.textContent).toMatch(/^The card was declined\. Nothing was charged/)
    expect([radio('decline')?.checked, radio('succeed')?.checked]).toEqual([true, false])
    expect(show(checkout()).querySelector('[role=alert]')).toBeNull()
  })

  test('the demo banner is the first element, and the back button outside of the form cancels', () => {
    const main = show(checkout())
    expect(document.body.firstElementChild?.textContent).toMatch(/^Demo: no money moves/)
    const back = document.querySelector<HTMLButtonElement>('header button')
    expect([back?.textContent, back?.form === formsOf(main)[1]]).toEqual(['Back to Keepsnap', true])
  })

  test.each(['pro_monthly', 'pro_yearly'] as const)('the total of %s is its price', (plan) => {
    const price = `$${(plans[plan].price_cents / 100).toFixed(2)}`
    const main = show(checkout({ plan }))
    expect(Array.from(main.querySelectorAll('dd'), (one) => one.textContent)).toEqual([price, '$0.00', price])
    expect(main.textContent).toContain('All prices include VAT where it is due.')
    expect(main.querySelector('form button')?.textContent).toBe(`Pay ${price} (demo)`)
  })

  test.each([
    ['paid', 'Go to Settings'],
    ['expired', 'View Pricing Plans'],
    ['unknown', 'View Pricing Plans'],
  ] as const)('the page of a checkout that is %s leads on', (why, next) => {
    const main = show({ page: 'demo-checkout-ended', why })
    expect(main.querySelector('form')).toBeNull()
    expect(main.querySelector('.btn--primary')?.textContent).toBe(next)
    const links = Array.from(main.querySelectorAll('.btn'), (one) => one.getAttribute('href'))
    expect(new Set(links)).toEqual(new Set(['/pricing', '/settings']))
  })
})

describe('date time', () => {
  test('hours have a leading zero where the day has 24 hours, but not before AM', () => {
    const time = '2026-11-17T07:51:00Z'
    expect(createDateTimeFormat('en-GB', 'UTC')(time)).toBe('Tuesday 17 November at 07:51')
    expect(createDateTimeFormat('en-US', 'UTC')(time)).toMatch(/^Tuesday, November 17 at 7:51\sAM$/)
  })

  test('a time is formatted in the time zone of each owner, without its name', () => {
    const format = createZonedDateTimeFormat('en-GB')
    const time = '2026-11-17T22:51:00Z'
    expect(format(time, 'Asia/Tokyo')).toBe('Wednesday 18 November at 07:51')
    expect(format(time, 'UTC')).toBe('Tuesday 17 November at 22:51')
    const serverTime = createDateTimeFormat('en-GB')(time)
    expect([format(time), format(time, null), format(time, 'Europe/Nowhere')]).toEqual(Array(3).fill(serverTime))
  })
})

describe('placeholder', () => {
  const thumbhash = '1QcSHQRnh493V4dIh4eXh1h4kJUI'
  const render = createPlaceholderRenderer()
  const svgOf = (photo: Parameters<typeof render>[0]): string =>
    decodeURIComponent(render(photo).replace('data:image/svg+xml,', ''))

  test.each([
    [1000, 1500, 'width="2731" height="4096"'],
    [20, 20, 'width="4096" height="4096"'],
    [null, null, 'width="4096" height="2731"'],
  ] as const)('has the aspect ratio of %s by %s', (width, height, size) => {
    expect(svgOf({ width, height, thumbhash })).toContain(size)
  })

  test('draws the ThumbHash as a PNG', () => {
    const [, base64 = ''] = /data:image\/png;base64,([^"]+)/.exec(svgOf({ width: 3, height: 2, thumbhash })) ?? []
    expect(Buffer.from(base64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  test('is empty without a ThumbHash', () => {
    expect(svgOf({ width: 3, height: 2, thumbhash: null })).not.toContain('<image')
  })

  test.each(['', 'AAAA', 'no hash'])('is an image for the invalid ThumbHash %j', (invalid) => {
    expect(svgOf({ width: 3, height: 2, thumbhash: invalid })).toMatch(/^<svg .*<\/svg>$/)
  })
})

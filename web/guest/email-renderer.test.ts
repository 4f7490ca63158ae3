import { describe, expect, test } from 'vitest'
import type { Email } from '@keepsnap/contract/emails.ts'
import { createFormat } from '../lib/format.ts'
import { pseudoCatalogue } from '../lib/development-language.ts'
import { en } from '../messages/en.ts'
import { untranslatedTexts } from '../test/translated-text.ts'
import {
  accountEmails,
  emailFrame,
  photoEmail,
  planEmails,
  renderer,
  rendererIn,
  reportEmails,
  storageEmails,
} from './test/samples.ts'

const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')

describe('an email with a photo', () => {
  const rendered = renderer.renderEmail(photoEmail, emailFrame)

  test('has the same content as HTML and as plain text', () => {
    expect([rendered.subject, rendered.senderName]).toEqual([
      'Your photo from Studio Sofie',
      'Studio Sofie, by Keepsnap',
    ])
    const html = parse(rendered.html)
    for (const part of [
      'Here is your photo',
      'Studio Sofie, by Keepsnap',
      photoEmail.url,
      'The link works until Friday 20 November at 23:51.',
      'attached to this email',
      'Sample Company',
      'Samplestreet 1, Brussels',
      'hello@example.com',
    ]) {
      expect(html.body.textContent).toContain(part)
      expect(rendered.text).toContain(part)
    }
    const links = Array.from(html.querySelectorAll('a'), (link) => link.getAttribute('href'))
    expect(links).toEqual([photoEmail.url, photoEmail.url, photoEmail.stopUrl])
    const { subject, senderName, text } = renderer.renderEmail(
      { ...photoEmail, attached: false, brandName: null },
      emailFrame,
    )
    expect(text).not.toContain('attached')
    // It names nobody without a brand name.
    expect([subject, senderName]).toEqual(['The photo you asked for', 'A photographer, by Keepsnap'])
    expect(text).toContain('Here is your photo\nA photographer, by Keepsnap\n')
  })

  test('shows the attached thumbnail, and no picture when it is not in the store', () => {
    const image = parse(rendered.html).querySelector('a > img')
    const shown = ['src', 'alt', 'width', 'height'].map((name) => image?.getAttribute(name))
    expect(shown).toEqual(['cid:photo', 'Your photo', '414', '276'])
    const upright = { cid: 'photo', width: 3000, height: 4000 }
    const html = parse(renderer.renderEmail({ ...photoEmail, thumbnail: upright }, emailFrame).html)
    expect(html.querySelector('img')?.getAttribute('height')).toBe('414')
    expect(renderer.renderEmail({ ...photoEmail, thumbnail: null }, emailFrame).html).not.toContain('<img')
  })

  test('loads nothing from other servers and supports the dark theme', () => {
    expect(rendered.html).not.toMatch(/<link|<script|url\(|@import|src="(?!cid:)/i)
    expect(rendered.html).toContain('prefers-color-scheme:dark')
    expect(
      rendered.html
        .match(/https?:\/\/[^"<\s]+/g)
        ?.every((address) => address === photoEmail.url || address === photoEmail.stopUrl),
    ).toBe(true)
    expect(rendered.html.length).toBeLessThan(20_000)
  })

  test('ends with a link to unsubscribe', () => {
    const linkText = 'Or stop receiving photos at this address'
    const link = Array.from(parse(rendered.html).querySelectorAll('a')).at(-1)
    expect([link?.textContent, link?.getAttribute('href')]).toEqual([linkText, photoEmail.stopUrl])
    expect(rendered.text.split('-- \n')[1]).toContain(
      `you can ignore this email. We won’t send more photos unless your address is entered again.\n\n${linkText}:\n${photoEmail.stopUrl}\n`,
    )
    for (const one of Object.values(accountEmails))
      expect(renderer.renderEmail(one, emailFrame).html).not.toContain(linkText)
  })

  test('escapes markup and line breaks in values', () => {
    const markup = '<a href="https://evil.example">x</a>\r\nBcc: a@b.example'
    const bad = renderer.renderEmail(
      { ...photoEmail, filename: markup, brandName: markup },
      { ...emailFrame, operator: { name: markup, address: markup, email: markup } },
    )
    expect(parse(bad.html).querySelectorAll('a')).toHaveLength(3)
    expect(bad.text).not.toMatch(/^Bcc:/m)
    for (const line of [bad.subject, bad.senderName]) expect(line).not.toMatch(/[\r\n]/)
  })

  test('shows the attached logo in its aspect ratio', () => {
    const logo = { cid: 'logo', width: 1000, height: 400, ground: 'ink' } as const
    const html = parse(renderer.renderEmail({ ...photoEmail, logo, thumbnail: null }, emailFrame).html)
    const images = Array.from(html.querySelectorAll('img'), (image) => [
      image.getAttribute('src'),
      image.getAttribute('width'),
    ])
    expect(images).toEqual([['cid:logo', '180']])
    expect(html.querySelector('img')?.parentElement?.getAttribute('style')).toContain('background-color:#1c1a17')
    expect(html.body.textContent).toContain('Sent with Keepsnap')
  })
})

const anyLink: string[] = [expect.any(String) as string]
const allEmails = { ...accountEmails, ...reportEmails, ...planEmails, ...storageEmails }
test.each(Object.entries<Email>(allEmails))('the email %s has the same content as HTML and as plain text', (_, one) => {
  const { html, text, subject } = renderer.renderEmail(one, emailFrame)
  const { body } = parse(html)
  const sentences = Array.from(body.querySelectorAll('h1, p'), (part) => part.textContent ?? '')
  for (const sentence of sentences.filter((part) => !part.startsWith('If the button'))) expect(text).toContain(sentence)
  expect(subject).toMatch(/^[^\r\n]{10,70}$/)
  const links = Array.from(body.querySelectorAll('a'), (link) => link.getAttribute('href'))
  const isAboutStorage = Object.values(storageEmails).includes(one)
  const without =
    /^(password-changed|new-sign-in|api-key-created|webhook-created|event-grant-created|helper-created)$/.test(one.kind)
      ? ['https://fotos.example/forgot-password']
      : []
  const settings = 'settingsUrl' in one ? [one.settingsUrl] : []
  expect(links).toEqual('url' in one ? [one.url, ...settings] : isAboutStorage ? anyLink : without)
  expect(html).not.toMatch(/<img|<link|<script|url\(|@import|src=/i)
  expect(html.length).toBeLessThan(20_000)
})

describe('an email about an account', () => {
  test('says when', () => {
    // Guests' photos were added at different times.
    for (const one of Object.values(accountEmails).filter(({ kind }) => !/^(review-waiting|guests-full)$/.test(kind)))
      expect(renderer.renderEmail(one, emailFrame).text).toContain(
        one.kind === 'request-removal' ? '20 November 2026' : 'Friday 20 November at 23:51',
      )
  })

  test('about a new browser names it, and the page that ends all sessions', () => {
    const { text } = renderer.renderEmail(accountEmails['new-sign-in']!, emailFrame)
    expect(text).toContain('(Firefox, Windows)')
    expect(text).toContain('https://fotos.example/settings')
  })

  test('contains no advertising', () => {
    // That no more photos of guests fit has to name the plan.
    const all = [photoEmail, ...Object.values(accountEmails), ...Object.values(reportEmails)]
      .filter(({ kind }) => kind !== 'guests-full')
      .map((one) => renderer.renderEmail(one, emailFrame).text)
      .join()
    expect(all).not.toMatch(/\bpro\b|upgrade|offer|discount|pricing|plan|news|subscri/i)
  })

  test('names the new address and a contact address after a change of address', () => {
    const { text } = renderer.renderEmail(accountEmails['email-changed']!, emailFrame)
    expect(text).toContain('l…e@example.com')
    expect(text).toContain('write to hello@example.com')
  })
})

describe('an email about a plan', () => {
  test('says the price for its interval, the day with its year, and the cents that were refunded', () => {
    const textOf = (kind: keyof typeof planEmails) => renderer.renderEmail(planEmails[kind], emailFrame).text
    expect(textOf('plan-started')).toContain(
      'Pro Monthly for $14.99 per month. The next payment is on 20 November 2026.',
    )
    expect(textOf('plan-changed')).toContain('Pro Yearly for $149.99 per year')
    expect(textOf('payment-failed')).toContain('We couldn’t charge $14.99 for Pro Monthly.')
    expect(textOf('payment-failed')).toContain('until 20 November 2026')
    expect(textOf('payment-refunded')).toContain('We refunded $14.99.')
  })

  test('says when payments are a demonstration', () => {
    for (const isDemo of [true, false]) {
      const { text } = renderer.renderEmail({ ...planEmails['plan-started'], isDemo }, emailFrame)
      expect(text.includes('no money moves')).toBe(isDemo)
      const failed = renderer.renderEmail({ ...planEmails['payment-failed'], isDemo }, emailFrame).text
      expect(failed.includes('update your card')).toBe(!isDemo)
    }
  })
})

describe('an email about reports', () => {
  test('names the photo and why it was reported, or how many there are', () => {
    const { subject, text } = renderer.renderEmail(reportEmails['report']!, emailFrame)
    expect(subject).toBe('A guest reported one of your photos')
    expect(text).toContain('A guest reported IMG_4002.jpg: they are in it and don’t want it shown; it shows a child.')
    expect(renderer.renderEmail(reportEmails['report digest']!, emailFrame).subject).toBe(
      'Guests reported 3 of your photos',
    )
  })
})

describe('an email about limits of a plan', () => {
  test('says what is used, of what, until when, and the way out', () => {
    const photos = renderer.renderEmail(storageEmails['photos nearly used']!, emailFrame)
    expect(photos.subject).toBe('You’ve used 8 of your 10 photos this month')
    expect(photos.text).toContain('The count resets on Friday 20 November at 23:51.')
    expect(photos.text).toContain('https://fotos.example/pricing')
    const storage = renderer.renderEmail(storageEmails['storage full']!, emailFrame)
    expect(storage.subject).toBe('Your storage of 1\u{a0}GB is full')
    expect(storage.text).toContain('Delete photos you no longer need, or choose a larger plan.')
    const largest = renderer.renderEmail(storageEmails['storage of the largest plan']!, emailFrame)
    expect(largest.text).toContain('write to hello@example.com')
    expect(largest.text).not.toContain('/pricing')
  })

  test('names how many photos will be removed, their size and the day, and has the link of the archive', () => {
    const { subject, text, html } = renderer.renderEmail(storageEmails['removal']!, emailFrame)
    expect(subject).toBe('1,204 photos will be removed on Friday 20 November at 23:51')
    expect(text).toContain('the 1,204 oldest photos (2.2\u{a0}GB) will be removed')
    expect(text).toContain('https://fotos.example/pricing')
    const link = parse(html).querySelector('a')
    expect([link?.textContent, link?.getAttribute('href')]).toEqual([
      'Download everything',
      'https://fotos.example/export/Jx0Qz8vN3mWq5tRb7yKc1a',
    ])
    const other = renderer.renderEmail(storageEmails['removal without an archive']!, emailFrame)
    expect(other.subject).toBe('1 photo will be removed on Friday 20 November at 23:51')
    expect(other.text).toContain('https://fotos.example/settings')
  })
})

test.each(Object.entries<Email>({ photo: photoEmail, ...allEmails }))(
  'the email %s takes every sentence from the catalogue',
  (_, one) => {
    const language = { tag: 'en', text: pseudoCatalogue(en), format: createFormat('en') }
    const { html, subject, text } = rendererIn(language).renderEmail(one, emailFrame)
    expect(untranslatedTexts(parse(html).body)).toEqual([])
    expect(subject).toMatch(/^⟦.*⟧$/)
    const own = [photoEmail.filename, emailFrame.operator.address]
    const lines = text
      .split('\n')
      .filter(
        (part) =>
          /\p{L}/u.test(part) &&
          !/^https:\S+$/.test(part) &&
          part !== emailFrame.operator.email &&
          !own.some((value) => part.includes(value)),
      )
    expect(lines.filter((part) => !part.startsWith('⟦'))).toEqual([])
  },
)

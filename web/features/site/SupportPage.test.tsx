import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { sendSupportMessage, siteInfo, supportReceived } from '@keepsnap/contract/site.ts'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type ErrorReply, noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleSiteInfo, subscribed } from '../../test/samples.ts'

let received: { body: unknown; by: string | null }[]
const server = useFakeServer((server) => {
  received = []
  server.answer(sendSupportMessage, ({ body, user }) => {
    received.push({ body, by: user?.id ?? null })
    return { detail: supportReceived }
  })
})

const at = '/support'
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const send = (name = 'Send message') => screen.findByRole('button', { name })
const message = {
  Name: 'Marjolein',
  Email: 'marjolein@fotohuis.example',
  Subject: 'The screen is dark',
  Message: 'It was light before.',
}
type Person = Awaited<ReturnType<typeof visit>>['person']
async function fillIn(person: Person, fields: Partial<typeof message> = message): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await person.click(await field(label))
    await person.paste(value)
  }
}
const values = async () => Promise.all(Object.keys(message).map(async (label) => (await field(label)).value))

describe('the contact form', () => {
  test('sends a message, repeats the address, and says what happens next', async () => {
    const { person } = await visit(server, { at })
    await fillIn(person)
    await person.click(await send())
    const heading = await screen.findByRole('heading', { name: 'Message sent' })
    await waitFor(() => expect(heading).toHaveFocus())
    const section = screen.getByRole('region', { name: 'Message sent' })
    expect(section).toHaveTextContent('We will answer by email to marjolein@fotohuis.example.')
    expect(section).toHaveTextContent('It was light before.')
    expect(received).toEqual([
      {
        body: { name: 'Marjolein', email: message.Email, subject: message.Subject, message: message.Message },
        by: null,
      },
    ])
    await person.click(screen.getByRole('button', { name: 'Write another message' }))
    expect(await values()).toEqual(['', '', '', ''])
  })

  test('is filled with the name and address of who is signed in, and says when their plan has priority', async () => {
    const { person, state } = await visit(server, {
      at,
      token: server.addUser({ id: 'sofie', username: 'Sofie', email: 'sofie@example.com' }).token,
    })
    await waitFor(async () => expect(await values()).toEqual(['Sofie', 'sofie@example.com', '', '']))
    // A query that is fetched for the first time is not fetched again before it has its answer.
    await waitFor(() => expect(state.queryClient.isFetching()).toBe(0))
    expect(screen.queryByText(/priority support/)).toBeNull()
    server.answer(subscriptionStatus, () => subscribed('pro_monthly'))
    await act(() => state.queryClient.invalidateQueries())
    expect(await screen.findByText('Your plan has priority support: your message is answered first.')).toBeVisible()
    await person.clear(await field('Email'))
    await fillIn(person, { Email: 'office@example.com', Subject: 'Help', Message: 'Please' })
    await person.click(await send())
    await screen.findByRole('heading', { name: 'Message sent' })
    expect(received).toMatchObject([{ body: { name: 'Sofie', email: 'office@example.com' }, by: 'sofie' }])
  })

  test('says what is wrong beside each field, and moves the focus to the first', async () => {
    const { person } = await visit(server, { at })
    await fillIn(person, { Email: 'marjolein@fotohuis', Message: 'a'.repeat(5_001) })
    expect(screen.getByText('1 character too many')).toBeVisible()
    await person.click(await send())
    expect(await field('Name')).toHaveFocus()
    expect(await field('Name')).toHaveAccessibleDescription('Please enter your name')
    expect(await field('Email')).toHaveAccessibleDescription('The address is missing its ending, such as .com')
    expect(await field('Subject')).toHaveAccessibleDescription('Please enter a subject')
    expect(await field('Message')).toHaveAccessibleDescription('Please use at most 5,000 characters')
    expect(received).toEqual([])
    await person.type(await field('Name'), 'Ann')
    expect(await field('Name')).not.toBeInvalid()
    await fillIn(person, { Subject: 'a'.repeat(149) })
    expect(screen.getByText('1 character left')).toBeVisible()
    await person.paste('a')
    expect(screen.getByText('0 characters left')).toBeVisible()
  })

  test('sends once, however often the button is pressed', async () => {
    const answer = Promise.withResolvers<void>()
    server.answer(sendSupportMessage, async ({ body }) => {
      received.push({ body, by: null })
      await answer.promise
      return { detail: supportReceived }
    })
    const { person } = await visit(server, { at })
    await fillIn(person)
    await person.dblClick(await send())
    await person.click(await screen.findByRole('button', { name: 'Sending' }))
    answer.resolve()
    await screen.findByRole('heading', { name: 'Message sent' })
    expect(received).toHaveLength(1)
  })

  test('passes on what a bot writes into the field that people do not see', async () => {
    const { person } = await visit(server, { at })
    await fillIn(person)
    const honeypot = document.querySelector<HTMLInputElement>('input[name=website]')!
    expect([honeypot.tabIndex, honeypot.autocomplete, honeypot.closest('[aria-hidden=true]')]).toEqual([
      -1,
      'off',
      expect.any(HTMLElement),
    ])
    expect(screen.queryByRole('textbox', { name: 'Leave this empty' })).toBeNull()
    honeypot.value = 'https://spam.example'
    await person.click(await send())
    await screen.findByRole('heading', { name: 'Message sent' })
    expect(received).toMatchObject([{ body: { website: 'https://spam.example' } }])
  })
})

describe('a message that was not sent', () => {
  test('is still there, with the reason and another way to write', async () => {
    const limited = { ...refuse(429, 'x', 'rate_limited'), headers: { 'retry-after': '90' } }
    const failures: [ErrorReply | typeof noResponse, string][] = [
      [noResponse, 'You seem to be offline. Check your connection and try again.'],
      [refuse(503, 'x', 'unavailable'), 'Please try again later.'],
      [limited, 'Too many messages have come from your network. Please try again in 2 minutes.'],
    ]
    const { person } = await visit(server, { at })
    await fillIn(person)
    for (const [index, [answer, reason]] of failures.entries()) {
      server.answer(sendSupportMessage, () => answer)
      await person.click(await send(index === 0 ? 'Send message' : 'Send again'))
      const sentence = `Your message was not sent. ${reason}Your text is still here. Or email us at help@fotolicht.example.`
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(sentence))
      expect(await values()).toEqual(Object.values(message))
    }
    server.answer(sendSupportMessage, () => ({ detail: supportReceived }))
    await person.click(await send('Send again'))
    await screen.findByRole('heading', { name: 'Message sent' })
  })

  test('of an installation whose settings are samples names no address', async () => {
    server.answer(siteInfo, () => ({ ...sampleSiteInfo, operator: { ...sampleSiteInfo.operator, is_sample: true } }))
    server.answer(sendSupportMessage, () => noResponse)
    const { person } = await visit(server, { at })
    await fillIn(person)
    await person.click(await send())
    expect(within(await screen.findByRole('alert')).queryByRole('link')).toBeNull()
  })

  test('shows what only the server knows to be wrong beside its field', async () => {
    server.answer(sendSupportMessage, () => refuse(422, [{ loc: ['body', 'email'], msg: 'x' }], 'invalid'))
    const { person } = await visit(server, { at })
    await fillIn(person)
    await person.click(await send())
    await waitFor(async () => expect(await field('Email')).toHaveFocus())
    expect(await field('Email')).toHaveAccessibleDescription(
      'This doesn’t look like an email address'.replace('’', "'"),
    )
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('is kept over a reload until it is sent, and not shown to another account', async () => {
    const first = await visit(server, { at })
    await fillIn(first.person)
    cleanup()
    const second = await visit(server, { at })
    expect(await values()).toEqual(Object.values(message))
    await second.person.click(await send())
    await screen.findByRole('heading', { name: 'Message sent' })
    cleanup()
    await visit(server, { at })
    expect(await values()).toEqual(['', '', '', ''])
    cleanup()

    const [ann, ben] = [server.addUser({ id: 'ann' }), server.addUser({ id: 'ben', email: 'ben@example.com' })]
    const third = await visit(server, { at, token: ann.token })
    await waitFor(async () => expect((await field('Name')).value).not.toBe(''))
    await fillIn(third.person, { Message: 'Of Ann' })
    cleanup()
    await visit(server, { at, token: ben.token })
    await waitFor(async () => expect((await field('Email')).value).toBe('ben@example.com'))
    expect((await field('Message')).value).toBe('')
    cleanup()
    window.localStorage.clear()
    await visit(server, { at })
    expect((await field('Message')).value).toBe('')
  })
})

describe('questions and answers', () => {
  test('tell numbers from the limits, can be opened, and the address of one opens it', async () => {
    const { person, where } = await visit(server, { at: '/support#remove' })
    const question = await screen.findByText('Somebody wants their photo removed')
    await waitFor(() => expect(question.closest('details')).toHaveAttribute('open'))
    const other = screen.getByText('How do I keep the screen on?').closest('details')!
    expect(other).not.toHaveAttribute('open')
    await person.click(within(other).getByText('How do I keep the screen on?'))
    await person.click(within(other).getByRole('link', { name: 'Link to “How do I keep the screen on?”' }))
    expect(where()).toBe('/support#awake')
    expect(screen.getByText(/72 hours, for this one photo/)).toBeInTheDocument()
    expect(screen.getByText(/They are deleted after 90 days/)).toBeInTheDocument()
    expect(screen.getByText(/50 MB per file on the free plan, 100 MB on Pro/)).toBeInTheDocument()
    const ids = Array.from(document.querySelectorAll('details'), ({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

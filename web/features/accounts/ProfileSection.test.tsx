import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import { updateSettings, type User } from '@keepsnap/contract/accounts.ts'
import { type ErrorReply, noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { openPart, serveSettings } from '../../test/render.tsx'
import { supportedValuesOf } from '../../test/environment.ts'
import { BrandNameField, ProfileInfo, TimeZoneField, UsernameField } from './ProfileSection.tsx'
import {
  EmailGateSwitch,
  EmailPreferenceSwitches,
  useEmailGate,
  useWatermarkSetting,
  WatermarkSwitch,
} from './Switches.tsx'

describe('ProfileSection', () => {
  const server = useFakeServer(serveSettings)

  const open = (email_verified: boolean) =>
    openPart(server, ({ user }) => <ProfileInfo user={user} />, { email_verified })

  test('the profile shows the email address, which is confirmed', async () => {
    const { part, user } = await open(true)
    expect(document.querySelector('.settings-section__body')).toHaveTextContent(user.email)
    expect(part.getByText('Confirmed')).toBeVisible()
    expect(part.queryByRole('button', { name: 'Resend email' })).toBeNull()
  })

  test('the confirmation email is sent again, or says why it cannot be', async () => {
    server.answer(sendVerification, () => refuse(429, 'Too many emails. Try again later.'))
    const { part, person } = await open(false)
    const resend = part.getByRole('button', { name: 'Resend email' })
    await person.click(resend)
    expect(await part.findByRole('alert')).toHaveTextContent('Too many emails. Try again later.')
    server.answer(sendVerification, () => ({ detail: 'Sent.' }))
    await person.click(resend)
    expect(await screen.findByText('We’ve sent an email to marjolein@example.com.')).toBeVisible()
    expect(screen.queryByText('Confirmed')).toBeNull()
  })

  test('the email address is changed after checking the password, or it says why not', async () => {
    const bodies: unknown[] = []
    server.answer(changeEmail, () => refuse(400, 'This email is already registered.', 'already_registered'))
    const { part, person } = await open(true)
    await person.click(part.getByRole('button', { name: 'Change email' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change email' }))
    const field = dialog.getByLabelText('New email')
    await person.type(field, 'MARJOLEIN@example.com{Enter}')
    expect(dialog.getByText('This is already your address.')).toBeVisible()
    await person.clear(field)
    await person.type(field, 'new@example.com{Enter}')
    expect(dialog.getByText('Please enter your password.')).toBeVisible()
    expect(dialog.getByLabelText('Your password')).toHaveFocus()
    await person.keyboard('Correct1!{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('This email is already registered.')
    server.answer(changeEmail, ({ body }) => {
      bodies.push(body)
      return { detail: 'Sent.' }
    })
    await person.keyboard('{Enter}')
    expect(await screen.findByText(/We’ve sent an email to new@example.com/)).toBeVisible()
    expect(bodies).toEqual([{ email: 'new@example.com', password: 'Correct1!' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('settings', () => {
  let saved: Partial<User>[]
  const server = useFakeServer(() => {
    ;({ saved } = serveSettings(server))
  })

  describe('a switch', () => {
    function Switches() {
      return (
        <>
          <WatermarkSwitch setting={useWatermarkSetting()} />
          <EmailGateSwitch gate={useEmailGate()} />
          <EmailPreferenceSwitches />
        </>
      )
    }
    const open = (fields?: Partial<User>) => openPart(server, Switches, fields)
    const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

    test('for emails is saved at once, together with the other, and confirmed; two changes at once are kept', async () => {
      const { person, user } = await open({ allow_promotional_emails: true })
      await person.click(box('Product news'))
      expect(box('Product news')).toBeChecked()
      expect(await screen.findByText('Email preferences updated successfully')).toBeVisible()
      expect(saved).toEqual([{ allow_marketing_emails: true, allow_promotional_emails: true }])
      act(() => box('Product news').click())
      act(() => box('Offers').click())
      await waitFor(() => expect(saved).toHaveLength(3))
      expect(user).toMatchObject({ allow_marketing_emails: false, allow_promotional_emails: false })
    })

    test('shows the new value synchronously', async () => {
      const response = Promise.withResolvers<void>()
      server.answer(updateSettings, async ({ user, body }) => {
        await response.promise
        return { ...user!, ...body }
      })
      await open()
      for (const wanted of [true, false, true]) {
        // Not awaited: a later render would hide that the switch showed the old value first.
        act(() => box('Watermark').click())
        expect(box('Watermark').checked).toBe(wanted)
      }
      response.resolve()
      expect(await screen.findByText('Watermark setting updated successfully')).toBeVisible()
      expect(box('Watermark')).toBeChecked()
    })

    test.each([
      ['Offers', 'Failed to update email preferences'],
      ['Watermark', 'Failed to update watermark setting'],
      ['Ask for an email address', 'Failed to update email setting. Please try again.'],
    ])('for %s is reset when it cannot be saved', async (name, sentence) => {
      server.answer(updateSettings, () => noResponse)
      const { person } = await open()
      await person.click(box(name))
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(box(name)).not.toBeChecked()
    })

    test.each([
      ['Watermark', 'use_logo_as_watermark', 'Watermark setting updated successfully'],
      ['Ask for an email address', 'ask_email_to_receive_photo', 'Email setting updated successfully'],
    ])('for %s is saved alone', async (name, field, sentence) => {
      const { person } = await open()
      await person.click(box(name))
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(saved).toEqual([{ [field]: true }])
    })

    test('shows the explanation of the server; stays as chosen when that answers with the success alone', async () => {
      server.answer(updateSettings, () => refuse(403, 'Not with this plan.'))
      const { person } = await open()
      await person.click(box('Watermark'))
      expect(await screen.findByText('Not with this plan.')).toBeVisible()
      server.answer(updateSettings, () => ({ success: true }) as unknown as User) // instead of the user
      await person.click(box('Watermark'))
      expect(await screen.findByText('Watermark setting updated successfully')).toBeVisible()
      expect(box('Watermark')).toBeChecked()
    })
  })

  describe('a name', () => {
    const open = (fields: Partial<User> = {}) =>
      openPart(
        server,
        ({ user }) => (
          <>
            <UsernameField user={user} />
            <BrandNameField user={user} />
          </>
        ),
        fields,
      )
    const save = (label: string) => screen.getByRole('button', { name: `Save: ${label}` })

    test('of the user is changed', async () => {
      const { person } = await open()
      const field = screen.getByLabelText('Username')
      expect(field).toHaveValue('marjolein')
      expect(field).toHaveAccessibleDescription('Only you and the admins of this site see it.')
      await person.clear(field)
      await person.click(save('Username'))
      expect(await screen.findByText('Please enter a name')).toBeVisible()
      expect(field).toHaveFocus()
      await person.type(field, ' Marjolein  V. {Enter}')
      expect(await screen.findByText('Username updated successfully')).toBeVisible()
      expect(saved).toEqual([{ username: 'Marjolein V.' }])
      expect(field).toHaveValue('Marjolein V.')
    })

    test('of the brand is checked before it is saved, and removed when it is empty', async () => {
      const { person } = await open({ email_verified: false })
      const field = screen.getByLabelText('Brand name (optional)')
      expect(field).toHaveAccessibleDescription(expect.stringContaining('once your email address is confirmed'))
      await person.type(field, 'www.a.example{Enter}')
      expect(await screen.findByText(/cannot contain a link/)).toBeVisible()
      expect(saved).toEqual([])
      await person.clear(field)
      await person.type(field, 'Studio{Enter}')
      expect(await screen.findByText('Brand name updated successfully')).toBeVisible()
      await person.clear(field)
      await person.click(save('Brand name (optional)'))
      await waitFor(() => expect(saved).toEqual([{ brand_name: 'Studio' }, { brand_name: null }]))
    })

    test('that the server refuses has the reason beside it until it is edited', async () => {
      server.answer(updateSettings, () => refuse(422, [{ loc: ['body', 'brand_name'], msg: 'Not this one' }]))
      const { person } = await open()
      const field = screen.getByLabelText('Brand name (optional)')
      await person.type(field, 'Studio{Enter}')
      expect(await screen.findByText('Not this one')).toBeVisible()
      expect(field).toHaveValue('Studio')
      await person.type(field, 's')
      expect(screen.queryByText('Not this one')).toBeNull()
    })
  })

  describe('the time zone', () => {
    async function open(fields: Partial<User> = {}) {
      const page = await openPart(server, ({ user }) => <TimeZoneField user={user} />, fields)
      return { ...page, zones: screen.getByLabelText('Time zone') }
    }
    /** With the keyboard. happy-dom does not change a select by arrow keys. */
    const choose = (zones: HTMLElement, zone: string) => {
      fireEvent.keyDown(zones, { key: 'ArrowDown' })
      fireEvent.change(zones, { target: { value: zone } })
    }

    test('is one of all that the browser knows', async () => {
      vi.spyOn(Intl, 'supportedValuesOf').mockImplementation(supportedValuesOf)
      const { zones } = await open()
      expect(zones.querySelectorAll('option').length).toBeGreaterThan(400)
      for (const name of ['America/Los Angeles', 'Asia/Tokyo', 'Pacific/Auckland'])
        expect(within(zones).getByText(name)).toBeInTheDocument()
    })

    test('is saved when it is chosen; without one, the server’s applies', async () => {
      const { person, zones } = await open()
      expect(within(zones).getByRole('option', { selected: true })).toHaveTextContent('The server’s time zone')
      await person.selectOptions(zones, 'America/New_York')
      expect(await screen.findByText('Time zone updated successfully')).toBeVisible()
      expect(zones).toHaveValue('America/New_York')
      await person.selectOptions(zones, '')
      await waitFor(() => expect(saved).toEqual([{ time_zone: 'America/New_York' }, { time_zone: null }]))
    })

    test('that is chosen with the keyboard is saved once, when the choice has ended', async () => {
      const { person, zones } = await open()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
      act(() => zones.focus())
      for (const zone of ['Africa/Abidjan', 'Africa/Accra', 'Africa/Algiers']) {
        choose(zones, zone)
        expect(zones).toHaveValue(zone)
        await act(() => vi.advanceTimersByTimeAsync(500))
      }
      expect(saved).toEqual([])
      await act(() => vi.advanceTimersByTimeAsync(1_000))
      await waitFor(() => expect(saved).toEqual([{ time_zone: 'Africa/Algiers' }]))
      choose(zones, 'Africa/Asmera')
      await person.tab()
      await waitFor(() => expect(saved).toHaveLength(2))
    })

    test('that is saved is saved again when it is chosen while another one is being saved', async () => {
      let answer = (): void => {}
      const zonesSaved: unknown[] = []
      server.answer(updateSettings, ({ body, user }) => {
        zonesSaved.push(body.time_zone)
        const updated = Object.assign(user!, body)
        return zonesSaved.length > 1 ? updated : new Promise((resolve) => (answer = () => resolve({ ...updated })))
      })
      const { person, zones } = await open({ time_zone: 'Europe/Paris' })
      await person.selectOptions(zones, 'America/New_York')
      await screen.findByText('Saving...')
      await waitFor(() => expect(zonesSaved).toEqual(['America/New_York']))
      act(() => zones.focus())
      for (const zone of ['Africa/Accra', 'Europe/Paris']) {
        choose(zones, zone)
        expect(screen.getByText('Saving...')).toBeVisible()
      }
      await person.tab()
      act(() => answer())
      await waitFor(() => expect(zonesSaved).toEqual(['America/New_York', 'Europe/Paris']))
      await waitFor(() => expect(screen.queryByText('Saving...')).toBeNull())
      expect(zones).toHaveValue('Europe/Paris')
    })

    test('that cannot be saved is shown meanwhile, and the saved one returns with the reason', async () => {
      const answer = Promise.withResolvers<ErrorReply>()
      server.answer(updateSettings, () => answer.promise)
      const { person, zones } = await open({ time_zone: 'Europe/Paris' })
      await person.selectOptions(zones, 'America/New_York')
      expect(await screen.findByText('Saving...')).toBeVisible()
      expect(zones).toHaveValue('America/New_York')
      answer.resolve(refuse(422, [{ loc: ['body', 'time_zone'], msg: 'No such zone' }]))
      expect(await screen.findByText('No such zone')).toBeVisible()
      expect(zones).toHaveValue('Europe/Paris')
      expect(screen.queryByText('Saving...')).toBeNull()
    })
  })
})

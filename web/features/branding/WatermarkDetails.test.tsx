import type { User } from '@keepsnap/contract/accounts.ts'
import { startWatermarkRun, stopWatermarkRun, watermarkPreview, watermarkRun } from '@keepsnap/contract/branding.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { UserPlan } from '../plans/plan-status.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { openPart, sampleRun, serveSettings, withImages } from '../../test/render.tsx'
import { useWatermarkSetting, WatermarkSwitch } from '../accounts/Switches.tsx'
import { WatermarkDetails, WatermarkLayoutSetting } from './WatermarkDetails.tsx'

const server = useFakeServer(serveSettings)

function Watermark({ user, plan }: { user: User; plan: UserPlan | undefined }) {
  const setting = useWatermarkSetting()
  const layout = <WatermarkLayoutSetting user={user} />
  return (
    <>
      <WatermarkSwitch setting={setting} />
      <WatermarkDetails user={user} included={plan?.features.custom_branding} on={setting.value} layout={layout} />
    </>
  )
}
const open = (fields: Partial<User> = {}) => openPart(server, Watermark, { subscription_tier: 'pro', ...fields })

describe('the watermark setting', () => {
  test('shows a warning while it is on without a logo', async () => {
    const { person } = await open()
    const warning = 'You need to upload a logo to use as a watermark.'
    expect(screen.queryByText(warning, { exact: false })).toBeNull()
    await person.click(await screen.findByRole('checkbox', { name: 'Watermark' }))
    expect(await screen.findByText(warning)).toBeVisible()
    await person.click(screen.getByRole('checkbox', { name: 'Watermark' }))
    await waitFor(() => expect(screen.queryByText(warning)).toBeNull())
  })

  test('shows that it has no effect on the free plan', async () => {
    await open({ subscription_tier: 'free', use_logo_as_watermark: true })
    expect(await screen.findByText(/takes effect once you have a logo/)).toBeVisible()
    expect(screen.getByText(/Requires a logo and a Pro plan/)).toBeVisible()
    expect(server.calls.filter((call) => call.includes('/user/watermark'))).toEqual([])
  })

  test('has a size, a strength and a corner, saved at once, and a preview that follows, also while it is off', async () => {
    const { saved } = serveSettings(server)
    const previews: string[] = []
    server.answer(watermarkPreview, ({ user }) => {
      previews.push(`${user!.watermark_size} ${user!.watermark_corner} ${user!.watermark_strength}`)
      return { refuse: 200, text: 'picture', headers: { 'content-type': 'image/jpeg' } }
    })
    const { person } = await open(withImages)
    const preview = await screen.findByRole('img', { name: /newest photo with your logo/ })
    expect(preview).toHaveAttribute('src', expect.stringMatching(/^blob:/))
    expect(screen.getByRole('checkbox', { name: 'Watermark' })).not.toBeChecked()
    const size = within(screen.getByRole('group', { name: 'Size' }))
    expect(size.getByRole('radio', { name: 'Medium' })).toBeChecked()
    await person.click(size.getByRole('radio', { name: 'Large' }))
    await person.click(within(screen.getByRole('group', { name: 'Strength' })).getByRole('radio', { name: 'Strong' }))
    await person.click(screen.getByRole('radio', { name: 'Centre' }))
    expect(await screen.findByText('Watermark setting updated successfully')).toBeVisible()
    await waitFor(() => expect(previews.at(-1)).toBe('large center strong'))
    expect(previews[0]).toBe('medium bottom-right medium')
    expect(saved).toEqual([
      { watermark_size: 'large' },
      { watermark_strength: 'strong' },
      { watermark_corner: 'center' },
    ])
  })

  test('can be applied to existing photos, with progress, and be stopped; a refusal is shown', async () => {
    // Without the interval of `waitFor`, which then checks after each change of the document.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const poll = () => act(() => void vi.advanceTimersByTime(2_000))
    let run = { ...sampleRun, applicable: 12 }
    server.answer(watermarkRun, () => run)
    server.answer(startWatermarkRun, () => refuse(409, 'A run is already in progress.'))
    server.answer(stopWatermarkRun, () => {
      run = { ...run, state: 'stopping' }
      return run
    })
    const { person } = await open(withImages)
    expect(await screen.findByText('12 photos don’t have this watermark.')).toBeVisible()
    const add = screen.getByRole('button', { name: 'Add to existing photos' })
    await person.click(add)
    expect(await screen.findByText('A run is already in progress.')).toBeVisible()
    server.answer(startWatermarkRun, ({ body }) => {
      run = { ...run, state: 'running', what: body.what, total: 12, done: 3 }
      return run
    })
    await person.click(add)
    const bar = await screen.findByRole('progressbar', { name: 'Adding your logo to your photos' })
    expect(bar).toHaveAttribute('value', '3')
    expect(screen.getByRole('region', { name: 'Existing photos' })).toHaveFocus()
    expect(screen.getByText(/3 of 12/)).toBeVisible()
    run = { ...run, done: 7 }
    poll()
    await waitFor(() => expect(bar).toHaveAttribute('value', '7'))
    await person.click(screen.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/Stopping after/)).toBeVisible()
    run = { ...run, state: 'stopped', done: 8, applicable: 4, undoable: 8 }
    poll()
    expect(await screen.findByText('Stopped after 8 of 12 photos.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Remove from photos' })).toBeEnabled()
  })

  test.each([
    ['shows a placeholder while its state is being loaded', withImages, true],
    ['shows no placeholder without a logo', {}, false],
  ])('the section of existing photos %s', async (_, fields, isShown) => {
    const { promise: state, resolve } = Promise.withResolvers<typeof sampleRun>()
    server.answer(watermarkRun, () => state)
    await open(fields)
    await waitFor(() => expect(server.calls).toContain('GET /user/watermark'))
    expect(screen.queryByRole('region', { name: 'Existing photos' }) !== null).toBe(isShown)
    resolve({ ...sampleRun, applicable: 1, undoable: isShown ? 0 : 1 })
    expect(await screen.findByText(isShown ? /1 photo doesn’t have/ : /can be removed from 1 photo/)).toBeVisible()
  })

  test('asks for a photo for the preview, and hides the section of existing photos when that fails to load', async () => {
    server.answer(watermarkRun, () => refuse(403, 'No.'))
    await open(withImages)
    expect(await screen.findByText(/Upload a photo to preview your logo/)).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Existing photos' })).toBeNull())
    expect(screen.getByRole('checkbox', { name: 'Watermark' })).toBeEnabled()
  })

  test('can be removed again, also without a logo', async () => {
    const run = { ...sampleRun, state: 'done', what: 'apply', total: 2, done: 1, failed: 1, undoable: 1 } as const
    const asked: string[] = []
    server.answer(watermarkRun, () => run)
    server.answer(startWatermarkRun, ({ body }) => {
      asked.push(body.what)
      return { ...run, state: 'running' as const, what: body.what }
    })
    const { person } = await open()
    expect(await screen.findByText('Done: 1 photo changed.')).toBeVisible()
    expect(screen.getByText('1 photo couldn’t be changed.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Add to existing photos' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Remove from photos' }))
    expect(await screen.findByRole('progressbar', { name: 'Removing your logo from your photos' })).toBeVisible()
    expect(asked).toEqual(['undo'])
  })
})

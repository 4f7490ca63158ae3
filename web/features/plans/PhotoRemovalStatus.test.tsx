import { listPlans, subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { restoreRemovedPhotos } from '@keepsnap/contract/keeping.ts'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { plansForSale, samplePlanStatus } from '../../test/sample-plan-status.ts'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

const gigabyte = 1024 ** 3
const removal = { photos: 204, bytes: 2.2 * gigabyte, at: '2026-12-22T12:00:00.000Z' }
const removed = { photos: 3, bytes: 1.8 * gigabyte, until: '2026-12-29T12:00:00.000Z' }

let server: FakeServer
let status: SubscriptionStatus
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
  status = samplePlanStatus(1)
  server.answer(listPlans, () => plansForSale)
  server.answer(subscriptionStatus, () => status)
})
afterEach(() => server.close())

const section = async () => within(await screen.findByRole('region', { name: 'Subscription' }))

test('photos that will be removed are announced, with the ways to keep them', async () => {
  status = { ...status, removal }
  await openSettings(server)
  const plan = await section()
  expect(await plan.findByText('204 photos will be removed on December 22, 2026.')).toBeVisible()
  expect(plan.getByText(/The oldest ones \(2.2 GB\) don’t fit into your 1 GB of storage any more/)).toBeVisible()
  expect(plan.getByRole('link', { name: 'Open the gallery' })).toHaveAttribute('href', '/gallery')
  expect(plan.queryByRole('button', { name: 'Restore photos' })).toBeNull()
})

test('removed photos can be restored; those that do not fit can be restored later', async () => {
  status = { ...status, removed_photos: removed }
  server.answer(restoreRemovedPhotos, () => {
    status = { ...status, removed_photos: { ...removed, photos: 1 } }
    return { restored: 2, remaining: 1 }
  })
  await openSettings(server)
  const plan = await section()
  expect(await plan.findByText('3 photos were removed.')).toBeVisible()
  await userEvent.click(plan.getByRole('button', { name: 'Restore photos' }))
  expect(await plan.findByText('2 photos restored. 1 photo still doesn’t fit.')).toBeVisible()
  expect(await plan.findByText('1 photo was removed.')).toBeVisible()
  expect(plan.getByText(/It \(1.8 GB\) didn’t fit into your storage/)).toBeVisible()
  expect(plan.getByRole('button', { name: 'Restore photo' })).toBeVisible()
})

test('a restore that does not fit shows the reason of the server', async () => {
  status = { ...status, removed_photos: removed }
  const reason = 'Your removed photos do not fit into the storage of your plan.'
  server.answer(restoreRemovedPhotos, () => refuse(403, reason, 'quota_storage'))
  await openSettings(server)
  const plan = await section()
  await userEvent.click(await plan.findByRole('button', { name: 'Restore photos' }))
  expect(await plan.findByText(new RegExp(reason))).toBeVisible()
  expect(plan.getByRole('button', { name: 'Restore photos' })).toBeEnabled()
})

test('nothing is shown when no photos are or will be removed', async () => {
  await openSettings(server)
  const plan = await section()
  await plan.findByText('Plan')
  expect(plan.queryByText(/removed/)).toBeNull()
})

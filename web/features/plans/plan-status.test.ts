import { type PlanFeatures, plans } from '@keepsnap/contract/plans.ts'
import { expect, test } from 'vitest'
import { samplePlanStatus } from '../../test/samples.ts'
import { readFeatures, readStatus } from './plan-status.ts'

const none: PlanFeatures = {
  max_photos: 10,
  storage_gb: 1,
  max_file_size_mb: 50,
  custom_branding: false,
  analytics: false,
  priority_support: false,
  api_access: false,
}
const yearly = plans.pro_yearly.features

test.each<[string, unknown, PlanFeatures]>([
  ['an object', yearly, yearly],
  ['a string containing JSON', JSON.stringify(yearly), yearly],
  ['nothing', undefined, none],
  ['null', null, none],
  ['an empty string', '', none],
  ['text that is not JSON', '{max_photos', none],
  ['JSON that is not an object', '12', none],
  ['JSON null', 'null', none],
  ['some fields', { max_photos: 100, api_access: true }, { ...none, max_photos: 100, api_access: true }],
  ['some fields in a string', '{"storage_gb":10}', { ...none, storage_gb: 10 }],
  ['numbers of another type', { max_photos: '100', storage_gb: null, max_file_size_mb: -1 }, none],
  ['features of another type', { custom_branding: 'yes', analytics: 1 }, none],
  ['a limit of zero', { max_photos: 0 }, { ...none, max_photos: 0 }],
])('features that arrive as %s', (_, features, expected) => {
  expect(readFeatures(features)).toEqual(expected)
})

test('a status without limits and features gets the defaults', () => {
  const { plan_limits: _, plan, ...status } = samplePlanStatus(3)
  const bare = { ...status, plan: { ...plan, features: '{}' } } as unknown as ReturnType<typeof samplePlanStatus> // incomplete on purpose
  expect(readStatus(bare)).toMatchObject({
    plan: { features: none },
    plan_limits: { max_photos: 10, storage_gb: 1, max_file_size_mb: 50 },
  })
})

test('a status with the fields of the specification alone gets the others', () => {
  const { plan, plan_limits, current_usage, usage_percentage, has_subscription } = samplePlanStatus(3)
  const bare = { plan, plan_limits, current_usage, usage_percentage, has_subscription }
  const status = readStatus(bare as ReturnType<typeof samplePlanStatus>) // incomplete on purpose
  expect(status).toMatchObject({ subscription: null, complimentary: null, until: null, refundable_until: null })
  expect(new Date(status.month_ends_at).getUTCDate()).toBe(1)
})

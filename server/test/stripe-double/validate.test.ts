import { expect, test } from 'vitest'
import { decodeForm } from './form.ts'
import parameters from './parameters.json' with { type: 'json' }
import type { ParameterShape } from './parameters.ts'
import { problemsOf } from './validate.ts'

const shapes = parameters.endpoints as Record<string, ParameterShape> // as it was written
const problemsIn = (endpoint: string, form: string): string[] => problemsOf(decodeForm(form), shapes[endpoint]!) // it is there

const checkout = 'POST /v1/checkout/sessions'
const update = 'POST /v1/subscriptions/{id}'

test.each([
  [checkout, 'mode=subscription&line_items[0][price]=price_1&line_items[0][quantity]=1&automatic_tax[enabled]=true'],
  [checkout, 'subscription_data[metadata][anything]=1&success_url=https%3A%2F%2Fa.test%2F%7BCHECKOUT_SESSION_ID%7D'],
  [update, 'items[0][id]=si_1&items[0][price]=price_1&proration_behavior=always_invoice&cancel_at='],
  [update, 'cancel_at=min_period_end'],
  [update, 'cancel_at=1700000000'],
  ['GET /v1/events', 'created[gte]=1&created[lt]=2&types[0]=invoice.paid&limit=100&starting_after=evt_1'],
  ['GET /v1/invoices', 'customer=cus_1&expand[0]=data.payments'],
])('%s takes %s', (endpoint, form) => {
  expect(problemsIn(endpoint, form)).toEqual([])
})

test.each([
  [checkout, 'line_item[0][price]=x', 'Received unknown parameter: line_item'],
  [checkout, 'line_items[0][prize]=x', 'Received unknown parameter: line_items[0][prize]'],
  [checkout, 'line_items[0][price_data][recurring][intervall]=month', 'price_data][recurring][intervall]'],
  [checkout, 'line_items=price_1', 'Invalid array: line_items'],
  [checkout, 'line_items[price]=price_1', 'Invalid array: line_items'],
  [checkout, 'line_items[0][quantity]=many', 'Invalid number: line_items[0][quantity]'],
  [checkout, 'mode=subscriptions', 'Invalid mode: must be one of payment, setup, subscription'],
  [checkout, 'automatic_tax[enabled]=yes', 'Invalid boolean: automatic_tax[enabled]'],
  [update, 'proration_behavior=always_invoce', 'Invalid proration_behavior'],
  [update, 'cancel_at_period_ends=true', 'Received unknown parameter: cancel_at_period_ends'],
  [update, 'items[0][id]=si_1&items[0][constructor]=x', 'Received unknown parameter: items[0][constructor]'],
  ['POST /v1/refunds', 'charge_id=ch_1', 'Received unknown parameter: charge_id'],
])('%s refuses %s', (endpoint, form, problem) => {
  expect(problemsIn(endpoint, form).join()).toContain(problem)
})

import { Literal, Object, String, Union } from 'typebox'
import { endpoint } from './endpoint.ts'

const ByCheckoutId = Object({ id: String({ maxLength: 128 }) })

/** The page on which demo payments are made. */
export const demoCheckoutPage = endpoint({
  method: 'GET',
  path: '/demo-checkout/:id',
  access: 'public',
  summary: 'The page of demo payments, where no money moves.',
  params: ByCheckoutId,
  reply: 'bytes',
})
/**
 * The form of that page. `succeed` pays and leads to the checkout's `success_url`, `cancel` to its `cancel_url`, both with
 * 303; `decline` shows the page again.
 */
export const demoCheckoutForm = endpoint({
  method: 'POST',
  path: '/demo-checkout/:id',
  access: 'public',
  summary: 'Pay, be declined or cancel with demo payments, with a form.',
  params: ByCheckoutId,
  form: true,
  body: Object({ outcome: Union([Literal('succeed'), Literal('decline'), Literal('cancel')]) }),
  reply: 'bytes',
})

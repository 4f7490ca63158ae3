import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PlanId } from '@keepsnap/contract/plans.ts'

/** What a customer has paid for, as Stripe knows it. */
export interface StripeCustomer {
  id: string
  /** Undefined when the subscription has ended. */
  subscription?: { id: string; plan: PlanId; cancelsAtPeriodEnd: boolean; periodEndsAt: Date }
}

/** Customers with everything that happened to them; none of their webhooks has been sent. */
export interface PreparedCustomers {
  customers: StripeCustomer[]
  /** Webhooks that wait. */
  events: number
}

/** How the webhooks were answered. */
export interface DeliveryResult {
  /** Milliseconds from sending a webhook to its whole answer. */
  times: number[]
  /** Webhooks that were sent a second time, and how many of the answers said so. */
  repeats: number
  repeatsNoticed: number
  /** Answers other than 200. */
  refused: number
  seconds: number
}

export type StripeRequest = { kind: 'prepare'; customers: number } | { kind: 'deliver'; url: string }
export type StripeReply = { env: Record<string, string> } | PreparedCustomers | DeliveryResult

/** The Stripe double of the tests in a process of its own. */
export interface StripeProcess {
  /** Settings of a server whose payments it takes. */
  env: Record<string, string>
  /** Forgets earlier customers, and creates customers who subscribed three months ago. */
  prepare(customers: number): Promise<PreparedCustomers>
  /** Sends all pending webhooks to a URL, in shuffled order, and every tenth a second time. */
  deliver(url: string): Promise<DeliveryResult>
  stop(): Promise<void>
}

export async function startStripeProcess(): Promise<StripeProcess> {
  const child = fork(join(import.meta.dirname, 'stripe-process.ts'), { serialization: 'advanced' })
  const reply = async <T extends StripeReply>(): Promise<T> => {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process of the Stripe double ended')))
    const [message] = await Promise.race([once(child, 'message'), ended])
    return message as T // sent by stripe-process.ts
  }
  const ask = <T extends StripeReply>(request: StripeRequest): Promise<T> => {
    child.send(request)
    return reply<T>()
  }
  const { env } = await reply<{ env: Record<string, string> }>()
  return {
    env,
    prepare: (customers) => ask<PreparedCustomers>({ kind: 'prepare', customers }),
    deliver: (url) => ask<DeliveryResult>({ kind: 'deliver', url }),
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

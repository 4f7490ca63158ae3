import { sql } from 'kysely'
import type { PlanEmail } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Db } from '../../db/connect.ts'
import { planOf } from '../../domain/plans.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Composer, EmailRow } from '../../emails/composers.ts'

type EmailDependencies = Pick<Dependencies, 'config' | 'guestRenderer'>

/** What `applyEffects` stored. */
const planPayload = ({ payload }: EmailRow) =>
  payload as unknown as { plan: string; at: string | null; amountCents: number | null } // only applyEffects writes it

/** The name of a complimentary plan that includes more than this one and counts instead; null without one. */
async function betterPlan(tx: Db, userId: string, than: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select better.name from users join plans better on better.id = granted_plan and better.id = current_plan(users)
      join plans paid on paid.id = ${than} and paid.position < better.position
    where users.id = ${userId}`.execute(tx)
  return rows[0]?.name ?? null
}

const planComposer = ({ config, guestRenderer }: EmailDependencies, kind: PlanEmail['kind']): Composer => ({
  async compose(row, tx) {
    const { plan: id, at, amountCents } = planPayload(row)
    const { name: planName, price_cents: priceCents, interval_type: interval } = planOf({ plan: id })
    const { payments } = config
    const url = `${config.publicUrl}${kind === 'plan-ended' || kind === 'first-payment-failed' ? pages.pricing : pages.settings}`
    const isDemo = payments.kind === 'demo'
    const coveredBy = row.user_id === null ? null : await betterPlan(tx, row.user_id, id)
    const email: PlanEmail = { kind, planName, priceCents, interval, at, coveredBy, amountCents, url, isDemo }
    return guestRenderer.renderEmail(email, await emailContextOf(tx, row.user_id, config))
  },
})

/** The emails about plans and payments. They contain no promotion. */
export const planEmailComposers = (deps: EmailDependencies): Record<PlanEmail['kind'], Composer> => ({
  'plan-started': planComposer(deps, 'plan-started'),
  'payment-failed': planComposer(deps, 'payment-failed'),
  'first-payment-failed': planComposer(deps, 'first-payment-failed'),
  'plan-changed': planComposer(deps, 'plan-changed'),
  'plan-cancelled': planComposer(deps, 'plan-cancelled'),
  'plan-resumed': planComposer(deps, 'plan-resumed'),
  'plan-ended': planComposer(deps, 'plan-ended'),
  'payment-refunded': planComposer(deps, 'payment-refunded'),
})

import type { PlanEmail } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { planOf } from '../../domain/plans.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Composer, EmailRow } from '../../emails/composers.ts'

type EmailDependencies = Pick<Dependencies, 'config' | 'guestRenderer'>

/** What `applyEffects` stored. */
const planPayload = ({ payload }: EmailRow) =>
  payload as unknown as { plan: string; at: string | null; amountCents: number | null } // only applyEffects writes it

const planComposer = ({ config, guestRenderer }: EmailDependencies, kind: PlanEmail['kind']): Composer => ({
  async compose(row, tx) {
    const { plan: id, at, amountCents } = planPayload(row)
    const { name: planName, price_cents: priceCents, interval_type: interval } = planOf({ plan: id })
    const { payments } = config
    const url = `${config.publicUrl}${kind === 'plan-ended' ? pages.pricing : pages.settings}`
    const isDemo = payments.kind === 'demo'
    const email: PlanEmail = { kind, planName, priceCents, interval, at, amountCents, url, isDemo }
    return guestRenderer.renderEmail(email, await emailContextOf(tx, row.user_id, config))
  },
})

/** The emails about plans and payments. They contain no promotion. */
export const planEmailComposers = (deps: EmailDependencies): Record<PlanEmail['kind'], Composer> => ({
  'plan-started': planComposer(deps, 'plan-started'),
  'payment-failed': planComposer(deps, 'payment-failed'),
  'plan-changed': planComposer(deps, 'plan-changed'),
  'plan-cancelled': planComposer(deps, 'plan-cancelled'),
  'plan-resumed': planComposer(deps, 'plan-resumed'),
  'plan-ended': planComposer(deps, 'plan-ended'),
  'payment-refunded': planComposer(deps, 'payment-refunded'),
})

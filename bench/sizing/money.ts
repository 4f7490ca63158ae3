import { plans, storageBytes, type PlanId } from '@keepsnap/contract/plans.ts'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import type { Assumptions, MachinePrice, StorePrice } from './assumptions.ts'
import { demandOf, layoutOf, writesPerPhoto, type Layout } from './demand.ts'
import type { CommittedResult } from './measured-costs.ts'
import { averagePhoto, emailBytesOf, trafficOf } from './photo-work.ts'

const gigabyte = 1e9
const million = 1e6
const daysPerMonth = 365 / 12

/** What a photo costs, in cents: once, and for the months that it is kept. */
export interface PhotoPrice {
  processing: number
  storing: number
  requests: number
  traffic: number
  emails: number
  total: number
}

/** Dollars of all machines per month. */
export const machineDollars = ({ nodes, databaseCores }: Layout, machine: MachinePrice): number =>
  (nodes + databaseCores / machine.cores) * machine.dollars

/** Dollars per photo of traffic from a store, after what is free. */
function trafficDollars(
  store: StorePrice,
  { bytesOut, storedGbMonths }: { bytesOut: number; storedGbMonths: number },
): number {
  const out = bytesOut / gigabyte
  const free = store.freeOutPerGbStored * storedGbMonths
  return Math.max(0, out - free) * store.perGbOut
}

/** Machines at a number of events a day, as shares of one photo. */
function processingCents(
  events: number,
  machine: 'small' | 'large' | 'smallAws' | 'largeAws',
  { costs, assumptions }: { costs: CommittedResult; assumptions: Assumptions },
): number {
  const demand = demandOf(events, costs, assumptions)
  const layout = layoutOf(demand, assumptions)
  const photosPerMonth = demand.photosPerDay * daysPerMonth
  return (machineDollars(layout, assumptions.prices.machines[machine]) * 100) / photosPerMonth
}

/** What the average photo costs with a store, at 1,000 events a day. */
export function photoPrice(
  store: StorePrice,
  machine: 'large' | 'largeAws',
  { costs, assumptions }: { costs: CommittedResult; assumptions: Assumptions },
): PhotoPrice {
  const { monthsKept } = assumptions.day
  const { email } = assumptions.prices
  const photo = averagePhoto(costs, assumptions)
  const traffic = trafficOf(costs, assumptions)
  const storedGbMonths = (photo.storedBytes / gigabyte) * monthsKept
  const bytesOut = traffic.bytesOut - traffic.emailBytes
  const events = 1000
  const cents = {
    processing: processingCents(events, machine, { costs, assumptions }),
    storing: storedGbMonths * store.perGbMonth * 100,
    requests: ((writesPerPhoto * store.writes + traffic.reads * store.reads) * 100) / million,
    traffic: trafficDollars(store, { bytesOut, storedGbMonths }) * 100,
    emails: (assumptions.event.emails * email.dollars + (traffic.emailBytes / gigabyte) * email.perGbAttached) * 100,
  }
  return { ...cents, total: Object.values(cents).reduce((sum, one) => sum + one, 0) }
}

/** What one account costs in a month, in dollars. */
export interface PlanMargin {
  plan: PlanId
  photosPerMonth: number
  storedGb: number
  /** After the fee for the card. */
  income: number
  cost: number
  margin: number
  /** What the emails of a month would cost if it sent as many as the limit per owner and day lets through. */
  emailsAtLimit: number
}

/** A plan at its limits: all photos of each month, and its storage full. */
export function planMargin(
  plan: PlanId,
  store: StorePrice,
  { costs, assumptions }: { costs: CommittedResult; assumptions: Assumptions },
): PlanMargin {
  const { card, email } = assumptions.prices
  const { features, price_cents, interval_type } = plans[plan]
  const price = price_cents / 100
  const months = interval_type === 'year' ? 12 : 1
  const income = price === 0 ? 0 : (price * (1 - card.share) - card.dollars) / months
  const { storing, total } = photoPrice(store, 'large', { costs, assumptions })
  const storedGb = storageBytes(plans[plan]) / gigabyte
  const cost = (features.max_photos * (total - storing)) / 100 + storedGb * store.perGbMonth
  const bytesPerEmail = emailBytesOf(costs)
  const perEmail = email.dollars + (bytesPerEmail / gigabyte) * email.perGbAttached
  return {
    plan,
    photosPerMonth: features.max_photos,
    storedGb,
    income,
    cost,
    margin: income - cost,
    emailsAtLimit:
      Math.min(emailLimits.perOwnerDay, emailLimits.perPhotoDay * features.max_photos) * daysPerMonth * perEmail,
  }
}

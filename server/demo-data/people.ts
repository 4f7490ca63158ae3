import type { PlanId } from '@keepsnap/contract/plans.ts'

/** The owner of a demo account. Addresses under `.example` are reserved (RFC 2606), so nobody can have them. */
export interface Person {
  email: `${string}.example`
  username: string
  /** What guests are shown. */
  brandName: string | null
  timeZone: string
  /** The age of the account. */
  memberDays: number
  /** A paid plan, and for how many months it has been paid. */
  paidPlan: { id: Exclude<PlanId, 'free'>; months: number } | null
  isVerified: boolean
  /** Whether guests must give an email address before they get a photo. */
  asksForEmail: boolean
  /** For the operator, in the list at the end. */
  situation: string
}

const unpaid = { paidPlan: null, asksForEmail: false, timeZone: 'Europe/Brussels' } as const

/** The accounts, each in a different situation. */
export const people = {
  studio: {
    email: 'hello@lumen-booths.example',
    username: 'Lumen Booths',
    brandName: 'Lumen Photo Booths',
    timeZone: 'Europe/Brussels',
    memberDays: 431,
    paidPlan: { id: 'pro_yearly', months: 14 },
    isVerified: true,
    asksForEmail: false,
    situation: 'Pro Yearly: logo, watermark, weeks of guests, API key, webhook',
  },
  photographer: {
    email: 'nora@nora-lind.example',
    username: 'Nora Lind',
    brandName: 'Nora Lind Photography',
    timeZone: 'Europe/Amsterdam',
    memberDays: 167,
    paidPlan: { id: 'pro_monthly', months: 5 },
    isVerified: true,
    asksForEmail: true,
    situation: 'Pro Monthly: two weddings, guests must give an email address',
  },
  host: {
    ...unpaid,
    email: 'tom@garden-party.example',
    username: 'Tom',
    brandName: null,
    memberDays: 19,
    isVerified: false,
    situation: 'Free: 8 of 10 photos this month, email address not confirmed',
  },
  newcomer: {
    ...unpaid,
    email: 'mia@first-evening.example',
    username: 'Mia',
    brandName: null,
    memberDays: 0,
    isVerified: true,
    situation: 'Free: nothing yet',
  },
  closed: {
    ...unpaid,
    email: 'bar@old-harbour.example',
    username: 'Old Harbour Bar',
    brandName: 'Old Harbour Bar',
    memberDays: 260,
    isVerified: true,
    situation: 'deactivated: signing in is refused',
  },
} as const satisfies Record<string, Person>
export type PersonName = keyof typeof people
export const personNames = Object.keys(people) as PersonName[] // its own keys

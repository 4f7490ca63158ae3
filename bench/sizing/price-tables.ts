import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { cents, dollars, percent, plain, table } from './format.ts'
import type { Inputs } from './inputs.ts'
import { photoPrice, planMargin } from './money.ts'

export function priceTable(inputs: Inputs): string {
  const rows = inputs.assumptions.prices.stores.map((store) => {
    const machine = store.name.startsWith('AWS') ? 'largeAws' : 'large'
    const price = photoPrice(store, machine, inputs)
    const { processing, storing, requests, traffic, emails, total } = price
    const names = `${inputs.assumptions.prices.machines[machine].name}, ${store.name}`
    return [names, ...[processing, storing, requests, traffic, emails, total].map(cents)]
  })
  return table(['machines and store', 'machines', 'storing', 'requests', 'traffic', 'emails', 'together'], rows)
}

export function planTable(inputs: Inputs): string {
  const rows = inputs.assumptions.prices.stores.flatMap((store) =>
    planIds.map((plan) => {
      const { photosPerMonth, storedGb, income, cost, margin, emailsAtLimit } = planMargin(plan, store, inputs)
      const share = income > 0 ? ` (${percent(margin / income)})` : ''
      const amounts = [dollars(income), dollars(cost), `${margin < 0 ? '−' : ''}${dollars(Math.abs(margin))}${share}`]
      return [
        plans[plan].name,
        store.name,
        plain(photosPerMonth),
        `${plain(storedGb)} GB`,
        ...amounts,
        dollars(emailsAtLimit),
      ]
    }),
  )
  return table(
    [
      'plan',
      'store',
      'photos/month',
      'stored',
      'income/month',
      'cost/month',
      'margin',
      'as many emails as the limit lets through',
    ],
    rows,
  )
}

export function sourceTable({ assumptions: { prices } }: Inputs): string {
  const machines = Object.values(prices.machines).map(({ name, cores, memoryGb, dollars: price, source }) => [
    `${name}, ${cores} cores, ${memoryGb} GB`,
    `${dollars(price)} a month`,
    source,
  ])
  const stores = prices.stores.map(({ name, perGbMonth, writes, reads, perGbOut, freeOutPerGbStored, source }) => [
    name,
    `$${perGbMonth}/GB and month; a million writes $${writes}, reads $${reads}; out $${perGbOut}/GB` +
      (freeOutPerGbStored ? `, ${freeOutPerGbStored} times the stored bytes are free` : ''),
    source,
  ])
  const email = [
    'emails',
    `$${prices.email.dollars} each, $${prices.email.perGbAttached}/GB attached`,
    prices.email.source,
  ]
  const fee = `${(prices.card.share * 100).toFixed(1)} % and $${prices.card.dollars.toFixed(2)} per payment`
  const card = ['card payments', fee, prices.card.source]
  return table(['what', 'price, without tax', 'from'], [...machines, ...stores, email, card])
}

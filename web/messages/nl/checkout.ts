import type { checkout as english } from '../en/checkout.ts'

/** The pages after a checkout. */
export const checkout: typeof english = {
  success: {
    title: 'Welkom bij Pro!',
    lead: 'Je abonnement is gestart, met je nieuwe limieten.',
    coveredTitle: 'Bedankt, je betaling is binnen',
    coveredLead: (plan, better) => `Je cadeauabonnement ${better} biedt meer en loopt door. Daarna geldt ${plan}.`,
    plan: 'Abonnement',
    price: 'Prijs',
    next: 'Volgende betaling',
    date: (date) => date,
    upload: 'Foto’s uploaden',
    settings: 'Naar Instellingen',
    refund: (date) => `Toch niet tevreden? Tot ${date} kun je in Instellingen je geld terugvragen.`,
    line: 'Klaar voor je logo',
    demo: 'Demo: zonder echt geld.',
  },
  verifying: {
    title: 'We controleren je betaling',
    lead: 'Dat duurt een paar seconden. De pagina gaat vanzelf verder.',
  },
  problems: {
    late: {
      title: 'We kunnen je betaling nog niet bevestigen',
      lead: 'Je hoeft niet opnieuw te betalen. Is de betaling gelukt, dan start je abonnement vanzelf binnen het uur.',
    },
    pending: {
      title: 'Je betaling is onderweg',
      lead: 'Met deze betaalwijze kan dat tot twee weken duren. Je abonnement start zodra ze aankomt; je hoeft niet opnieuw te betalen.',
    },
    refused: {
      title: 'Je abonnement is niet gestart',
      lead: 'Deze bestelling is niet betaald. Heb je net betaald? Kijk dan zo meteen opnieuw.',
    },
    unknown: {
      title: 'We kennen deze bestelling niet',
      lead: 'Misschien hoort ze bij een ander account of is de link onvolledig. In Instellingen zie je het abonnement van dit account.',
    },
    missing: {
      title: 'Er is geen bestelling om te bevestigen',
      lead: 'De link naar deze pagina is onvolledig. In Instellingen zie je je abonnement.',
    },
    reference: 'Referentie',
    checkAgain: 'Opnieuw kijken',
    settings: 'Naar Instellingen',
    plans: 'Prijzen bekijken',
  },
  cancelled: {
    title: 'Bestelling geannuleerd',
    lead: 'Je bent gestopt vóór het betalen. Er is niets afgeschreven.',
    planStays: (plan) => `Je abonnement is nog altijd ${plan}.`,
    plans: 'Prijzen bekijken',
    home: 'Naar de startpagina',
    upload: 'Foto’s uploaden',
    stays: 'Je foto’s blijven zoals ze zijn',
    left: (left) => `Nog ${left} foto’s deze maand`,
  },
}

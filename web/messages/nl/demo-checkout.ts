import type { demoCheckout as english } from '../en/demo-checkout.ts'

/** The page of demo payments. */
export const demoCheckout: typeof english = {
  title: 'Demobetaling',
  description: 'Betaal een abonnement bij wijze van demonstratie, zonder echt geld.',
  mark: 'Demo: zonder echt geld',
  markLead:
    'Deze pagina komt in de plaats van de betaalpagina. Er wordt geen echte kaart gevraagd en niets afgeschreven.',
  back: (product) => `Terug naar ${product}`,
  order: 'Je bestelling',
  subscription: (product) => `Abonnement op ${product}`,
  line: { month: (plan) => `${plan}, een maand`, year: (plan) => `${plan}, een jaar` },
  setupFee: 'Opstartkosten',
  total: 'Totaal vandaag',
  renews: {
    month: 'Wordt elke maand verlengd tot je opzegt.',
    year: 'Wordt elk jaar verlengd tot je opzegt.',
  },
  moneyBack: (days) => `${days} dagen geld-terug-garantie.`,
  agree: ['Door te betalen aanvaard je de ', '.'],
  choose: 'Kies hoe het afloopt',
  lead: 'Twee voorbeeldkaarten, zodat je beide uitkomsten kunt proberen.',
  card: 'Voorbeeldkaart',
  cards: {
    succeed: {
      name: 'Kaart die betaalt',
      number: '4242 4242 4242 4242',
      effect: 'De betaling lukt en je abonnement start.',
    },
    decline: {
      name: 'Kaart die wordt geweigerd',
      number: '4000 0000 0000 0002',
      effect: 'Je blijft hier en ziet de weigering.',
    },
  },
  declined: {
    heading: 'De kaart is geweigerd.',
    advice: 'Er is niets afgeschreven en je abonnement is niet veranderd. Kies de andere kaart of ga terug.',
  },
  pay: (price) => `${price} betalen (demo)`,
  cancel: 'Annuleren en teruggaan',
  ended: {
    paid: {
      heading: 'Deze bestelling is al betaald',
      lead: 'Er wordt niets dubbel afgeschreven. In Instellingen zie je je abonnement.',
    },
    expired: {
      heading: 'Deze bestelling is verlopen',
      lead: 'Er is niets afgeschreven. Kies een abonnement om opnieuw te beginnen.',
    },
    unknown: {
      heading: 'Deze bestelling bestaat niet',
      lead: 'Er is niets afgeschreven. Kies een abonnement om opnieuw te beginnen.',
    },
  },
  toPlans: 'Prijzen bekijken',
  toSettings: 'Naar Instellingen',
}

import { productName } from '@keepsnap/contract/product.ts'
import type { cookies as english } from '../en/cookies.ts'

/** The notice about cookies, and its settings. */
export const cookies: typeof english = {
  title: 'Cookiemelding',
  essential: `${productName} bewaart dat je bent ingelogd, je weergave-instellingen en deze keuze op je toestel. Zonder die gegevens werkt de site niet.`,
  permission: 'Als je het goedvindt, tellen we ook bezoeken.',
  noAnalytics: 'Op deze site zijn geen statistieken ingesteld, dus er wordt sowieso niets geteld.',
  more: 'Privacybeleid',
  customize: 'Aanpassen',
  essentialOnly: 'Alleen noodzakelijke',
  acceptAll: 'Alles accepteren',
  choices: 'Wat er gebruikt mag worden',
  essentialName: 'Noodzakelijk',
  essentialHint: 'Altijd aan. Dat je bent ingelogd, je weergave-instellingen en deze keuze.',
  analyticsName: 'Statistieken',
  analyticsHint: (provider, host) =>
    `Telt bezoeken aan pagina’s met ${provider} op ${host}, zonder cookies en zonder je naam of je foto’s. Zo zien we wat moeilijk te vinden is. Geen reclame.`,
  analyticsUnknown: 'Telt bezoeken aan pagina’s, als er op deze site statistieken ingesteld zijn. Geen reclame.',
  save: 'Voorkeuren opslaan',
  close: 'Sluiten',
}

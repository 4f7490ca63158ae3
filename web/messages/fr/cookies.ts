import { productName } from '@keepsnap/contract/product.ts'
import type { cookies as english } from '../en/cookies.ts'

/** The notice about cookies, and its settings. */
export const cookies: typeof english = {
  title: 'Cookies',
  essential: `${productName} conserve sur votre appareil votre connexion, vos préférences d’affichage et ce choix. Le site ne peut pas fonctionner sans.`,
  permission: 'Avec votre accord, nous comptons aussi les visites.',
  noAnalytics: 'Aucune mesure d’audience n’est configurée sur ce site : rien n’est compté, quel que soit votre choix.',
  more: 'Politique de confidentialité',
  customize: 'Personnaliser',
  essentialOnly: 'Essentiels uniquement',
  acceptAll: 'Tout accepter',
  choices: 'Ce qui peut être utilisé',
  essentialName: 'Essentiels',
  essentialHint: 'Toujours actifs. Votre connexion, vos préférences d’affichage et ce choix.',
  analyticsName: 'Mesure d’audience',
  analyticsHint: (provider, host) =>
    `Compte les visites des pages avec ${provider} sur ${host}, sans cookies, sans votre nom ni vos photos. Cela nous montre ce qui est difficile à trouver. Aucune publicité.`,
  analyticsUnknown:
    'Compte les visites des pages, si une mesure d’audience est configurée sur ce site. Aucune publicité.',
  save: 'Enregistrer les préférences',
  close: 'Fermer',
}

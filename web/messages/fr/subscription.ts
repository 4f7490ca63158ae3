import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { subscription as english } from '../en/subscription.ts'

/** The subscription in Settings, changes of it, and the notice about a missing payment. */
export const subscription: typeof english = {
  errors: {
    noToken: 'Votre session est terminée',
    expired: 'Votre session a expiré. Reconnectez-vous.',
    status: 'L’état de l’abonnement n’a pas pu être chargé',
    cancel: 'L’abonnement n’a pas pu être résilié. Veuillez réessayer.',
    resume: 'L’abonnement n’a pas pu être repris. Veuillez réessayer.',
    change: 'La formule n’a pas pu être changée. Veuillez réessayer.',
    refund: 'Le remboursement a échoué. Veuillez réessayer.',
    portal: 'La page de facturation n’a pas pu s’ouvrir. Veuillez réessayer.',
    invoices: 'Vos paiements n’ont pas pu être chargés.',
  },
  done: {
    cancelled: 'Abonnement résilié. Vous en profitez encore jusqu’à la fin de la période payée.',
    ended: 'Abonnement résilié. Il a pris fin, car son dernier paiement manquait.',
    resumed: 'Votre abonnement continue.',
    changed: (plan) => `Votre formule est maintenant ${plan}.`,
    refunded: (amount) => `Nous vous avons remboursé ${amount}. Votre abonnement a pris fin.`,
    refundedAfterEnd: (amount) => `Nous vous avons remboursé ${amount}.`,
    nothingToRefund:
      'Votre abonnement a pris fin. Il n’y avait rien à rembourser ici, car le paiement est retenu par votre banque.',
  },
  badges: {
    none: 'Sans abonnement',
    active: 'Actif',
    complimentary: 'Formule offerte',
    ends: (date) => `Se termine le ${date}`,
    pastDue: 'Paiement manquant',
  },
  facts: {
    plan: 'Formule',
    status: 'État',
    billing: 'Facturation',
    next: 'Prochain paiement',
    lastDay: 'Dernier jour',
    since: 'Abonnement depuis',
    paid: 'Formule payée',
    complimentary: 'Formule offerte',
    afterwards: 'Ensuite',
  },
  states: {
    free: 'Gratuite, sans carte bancaire',
    active: 'Actif',
    cancelled: 'Résilié',
    pastDue: (date) => `Paiement manquant, continue jusqu’au ${date}`,
    complimentary: 'Offerte',
    complimentaryUntil: (date) => `Offerte jusqu’au ${date}`,
  },
  free: '$0',
  date: (date) => date,
  freeOfCharge: 'Gratuit',
  noMorePayments: (price) => `${price}, plus aucun paiement à venir`,
  nextPayment: (amount, date) => `${amount} le ${date}`,
  creditPays: (credit) => `Votre crédit de ${credit} le couvre.`,
  creditPaysPart: (credit, rest) => `Votre crédit de ${credit} en couvre une partie ; vous payez ${rest}.`,
  planUntil: (plan, date) => `${plan} jusqu’au ${date}`,
  otherPlan: (plan, price, date) => `${plan}, ${price}, payée jusqu’au ${date}`,
  afterwards: {
    free: 'Free, sauf si vous choisissez une formule',
    paid: (plan) => `${plan}, que vous payez`,
  },
  notSold: 'Ce site ne vend pas de formules. Pour en obtenir une supérieure, adressez-vous à son exploitant.',
  demo: 'Démo : aucun paiement réel.',
  features: 'Dans votre formule',
  feature: {
    photos: (count) => `${count} photos par mois`,
    storage: (gigabytes) => `${gigabytes} Go de stockage`,
    files: (megabytes) => `Fichiers jusqu’à ${megabytes} Mo`,
    branding: 'Apparence personnalisée',
    analytics: 'Statistiques',
    support: 'Assistance prioritaire',
    api: 'Accès à l’API',
  },
  actions: {
    upgrade: 'Passer à Pro',
    change: 'Changer de formule',
    cancel: 'Résilier l’abonnement',
    resume: 'Reprendre l’abonnement',
    updateCard: 'Changer de carte',
    keep: 'Garder ma formule',
    notNow: 'Pas maintenant',
  },
  pastDue: {
    sentence: (date, next) =>
      `Votre dernier paiement a échoué. Votre formule continue jusqu’au ${date} ; ensuite, vous passez à ${next}.`,
    fixCard: 'Mettez votre carte à jour pour la garder.',
    fixDemo: 'Dans cette démo, résiliez l’abonnement, puis choisissez à nouveau une formule.',
    toSettings: 'Ouvrir les paramètres',
    sign: (date) => `Paiement manquant : votre formule se termine le ${date}`,
  },
  delayed: {
    pending: (plan) =>
      `Votre paiement pour ${plan} est en cours. Avec ce moyen de paiement, cela peut prendre jusqu’à deux semaines. Votre formule commence dès son arrivée ; inutile de payer à nouveau.`,
    failed: (plan) =>
      `Votre paiement pour ${plan} a échoué et rien n’a été débité. Vous pouvez choisir à nouveau une formule.`,
  },
  cancelDialog: {
    until: (plan, date) => `Vous gardez ${plan} jusqu’au ${date}. Plus rien ne sera débité.`,
    afterwards: (photos, gigabytes) => `Ensuite, vous passez à Free : ${photos} photos par mois et ${gigabytes} Go.`,
    atOnce: (plan) =>
      `${plan} prend fin immédiatement, car son dernier paiement manque. Ce paiement ne vous sera plus demandé.`,
    complimentary: (plan) => `Ensuite, votre formule offerte s’applique : ${plan}.`,
    codes: 'Les codes déjà affichés ou imprimés continuent de fonctionner.',
    photos: (gigabytes) =>
      `Les photos au-delà de ${gigabytes} Go sont conservées ${billingLimits.keepDays} jours de plus. Nous vous écrivons avant d’en supprimer.`,
  },
  after: {
    heading: 'Ce qui se passe ensuite',
    ends: (plan) => `Vous passez à ${plan}. Les codes déjà affichés ou imprimés continuent de fonctionner.`,
    features:
      'Les nouvelles photos n’ont plus votre logo ni votre filigrane, et vos statistiques ne sont plus affichées.',
    api: 'L’accès à l’API prend fin.',
    fits: (gigabytes) => `Vos photos tiennent dans les ${gigabytes} Go de la formule gratuite : elles restent toutes.`,
    emails:
      'Nous vous écrivons, avec le nombre de photos qui seront supprimées et un lien pour les télécharger toutes.',
    removal: (gigabytes) =>
      `Les photos les plus anciennes sont supprimées jusqu’à ce qu’il reste ${gigabytes} Go. Vous avez ${billingLimits.undoRemovalDays} jours pour l’annuler.`,
    and: (first, second) => `${first} et ${second}`,
  },
  changeDialog: {
    title: (plan) => `Passer à ${plan}`,
    limits: (photos, gigabytes) => `Dès maintenant : ${photos} photos par mois et ${gigabytes} Go de stockage.`,
    withApi: 'L’accès à l’API est compris.',
    withoutApi: 'L’accès à l’API prend fin.',
    overStorage: (used) =>
      `Vos photos occupent ${used}, soit davantage. Elles restent pour le moment, mais les nouvelles attendent qu’il y ait de la place.`,
    larger: (price) => `Vous payez ${price} aujourd’hui, moins ce qui reste de la période déjà payée.`,
    smaller: (price) =>
      `Ce qui reste de la période déjà payée couvre le nouveau prix de ${price}, puis les paiements suivants, tant que vous gardez l’abonnement.`,
    credit: (credit) => `Votre crédit de ${credit} est utilisé aussi.`,
    asking: 'Calcul de ce que vous payez aujourd’hui…',
    charged: (amount) => `Vous payez ${amount} aujourd’hui.`,
    nothing: 'Vous ne payez rien aujourd’hui.',
    left: (credit) =>
      `De ce que vous avez payé, il reste ${credit} pour les paiements suivants, tant que vous gardez l’abonnement.`,
    continues: 'Vous aviez résilié ; avec ce changement, votre abonnement continue.',
    renews: (price) => `Ensuite, il se renouvelle pour ${price}.`,
    submit: 'Changer de formule',
  },
  changeTo: {
    heading: (percent) => `Passez à l’annuel et économisez ${percent} %`,
    lead: (year, month, twelve) => `${year} par an au lieu de 12 × ${month} = ${twelve}.`,
    more: (photos, gigabytes) => `${photos} photos par mois, ${gigabytes} Go de stockage et l’accès à l’API.`,
    action: 'Passer à l’annuel',
  },
  refund: {
    heading: 'Remboursement',
    hint: (date) => `Jusqu’au ${date}, vous pouvez récupérer tout ce que vous avez payé.`,
    open: 'Demander un remboursement',
    title: 'Remboursement',
    amount: (amount) => `${amount} seront remboursés sur la carte utilisée pour le paiement.`,
    everything: 'Tout ce que vous avez payé sera remboursé sur la carte utilisée.',
    ends: (next) =>
      `Votre abonnement prend fin immédiatement et vous passez à ${next}. C’est possible une seule fois, sans retour en arrière.`,
    photos: (gigabytes) => `Les photos au-delà de ${gigabytes} Go sont conservées ${billingLimits.keepDays} jours.`,
    submit: (amount) => `Résilier et me faire rembourser ${amount}`,
    submitAll: 'Résilier et me faire rembourser',
    ended: 'Votre formule a déjà pris fin. C’est possible une seule fois, sans retour en arrière.',
    submitEnded: (amount) => `Me faire rembourser ${amount}`,
    submitEndedAll: 'Me faire rembourser',
  },
  portal: {
    heading: 'Carte et factures',
    hint: 'Sur la page de notre prestataire de paiement',
    open: 'Ouvrir la facturation',
  },
  invoices: {
    heading: 'Paiements',
    none: 'Pas encore de paiements.',
    date: (date) => date,
    refunded: 'Remboursé',
    partlyRefunded: (amount) => `${amount} remboursés`,
    disputed: 'Contesté',
    open: 'Facture',
    openOf: (date) => `Facture du ${date}`,
    more: (count) => `Tout afficher (${count})`,
  },
}

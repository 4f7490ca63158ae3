import { billingLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/plans.ts'

export const checkout: typeof english.checkout = {
  success: {
    title: 'Bienvenue dans la formule Pro !',
    lead: 'Votre formule a commencé et ses limites s’appliquent déjà.',
    coveredTitle: 'Merci, votre paiement est arrivé',
    coveredLead: (plan, better) =>
      `Votre formule offerte, ${better}, comprend davantage et continue. ${plan} s’applique ensuite.`,
    plan: 'Formule',
    price: 'Prix',
    next: 'Prochain paiement',
    date: (date) => date,
    upload: 'Ajouter des photos',
    settings: 'Ouvrir les paramètres',
    withdraw: `Vous pouvez vous rétracter de ce contrat dans les ${billingLimits.withdrawalDays} jours, sans motif :`,
    withdrawLink: 'Renoncer au contrat ici',
    refund: (date) => `Vous changez d’avis ? Jusqu’au ${date}, vous pouvez vous faire rembourser dans les paramètres.`,
    line: 'Prête pour votre logo',
    demo: 'Démo : aucun paiement réel.',
  },
  verifying: {
    title: 'Vérification de votre paiement',
    lead: 'Cela prend quelques secondes. La page continue toute seule.',
  },
  problems: {
    late: {
      title: 'Votre paiement n’est pas encore confirmé',
      lead: 'Inutile de payer à nouveau. Si le paiement a réussi, votre formule commence d’elle-même dans l’heure.',
    },
    pending: {
      title: 'Votre paiement est en cours',
      lead: 'Avec ce moyen de paiement, cela peut prendre jusqu’à deux semaines. Votre formule commence dès son arrivée ; inutile de payer à nouveau.',
    },
    refused: {
      title: 'Votre formule n’a pas commencé',
      lead: 'Ce paiement n’a pas été effectué. Si vous venez de payer, vérifiez à nouveau dans un instant.',
    },
    unknown: {
      title: 'Ce paiement nous est inconnu',
      lead: 'Il concerne peut-être un autre compte, ou le lien est incomplet. La formule de ce compte figure dans les paramètres.',
    },
    missing: {
      title: 'Aucun paiement à confirmer',
      lead: 'Le lien vers cette page est incomplet. Votre formule figure dans les paramètres.',
    },
    reference: 'Référence',
    checkAgain: 'Vérifier à nouveau',
    settings: 'Ouvrir les paramètres',
    plans: 'Voir les formules',
  },
  cancelled: {
    title: 'Commande annulée',
    lead: 'Vous avez quitté la page avant de payer. Rien n’a été débité.',
    planStays: (plan) => `Votre formule reste ${plan}.`,
    plans: 'Voir les formules',
    home: 'Aller à l’accueil',
    upload: 'Ajouter des photos',
    stays: 'Vos photos restent telles quelles',
    left: (left) => `Encore ${left} ${left === '1' ? 'photo' : 'photos'} ce mois-ci`,
  },
}

export const demoCheckout: typeof english.demoCheckout = {
  title: 'Paiement de démonstration',
  description: 'Payez une formule à titre de démonstration, sans paiement réel.',
  mark: 'Démo : aucun paiement réel',
  markLead: 'Cette page remplace la page de paiement. Aucune vraie carte n’est demandée et rien n’est débité.',
  back: (product) => `Retour à ${product}`,
  order: 'Votre commande',
  subscription: (product) => `Abonnement ${product}`,
  line: { month: (plan) => `${plan}, un mois`, year: (plan) => `${plan}, un an` },
  setupFee: 'Frais de mise en service',
  total: 'Total aujourd’hui',
  renews: {
    month: 'Renouvelé chaque mois jusqu’à résiliation.',
    year: 'Renouvelé chaque année jusqu’à résiliation.',
  },
  moneyBack: (days) => `Satisfait ou remboursé pendant ${days} jours.`,
  agree: ['En payant, vous acceptez les ', '.'],
  choose: 'Choisissez l’issue du paiement',
  lead: 'Deux cartes d’exemple, pour essayer les deux cas.',
  card: 'Carte d’exemple',
  cards: {
    succeed: {
      name: 'Carte acceptée',
      number: '4242 4242 4242 4242',
      effect: 'Le paiement réussit et votre formule commence.',
    },
    decline: {
      name: 'Carte refusée',
      number: '4000 0000 0000 0002',
      effect: 'Vous restez ici et voyez le refus.',
    },
  },
  declined: {
    heading: 'La carte a été refusée.',
    advice: 'Rien n’a été débité et votre formule n’a pas changé. Choisissez l’autre carte ou revenez en arrière.',
  },
  pay: (price) => `Payer ${price} (démo)`,
  cancel: 'Annuler et revenir',
  ended: {
    paid: {
      heading: 'Ce paiement a déjà été effectué',
      lead: 'Rien n’est débité deux fois. Votre formule figure dans les paramètres.',
    },
    expired: {
      heading: 'Cette page de paiement a expiré',
      lead: 'Rien n’a été débité. Choisissez une formule pour recommencer.',
    },
    unknown: {
      heading: 'Cette page de paiement n’existe pas',
      lead: 'Rien n’a été débité. Choisissez une formule pour recommencer.',
    },
  },
  toPlans: 'Voir les formules',
  toSettings: 'Ouvrir les paramètres',
}

export const keptPhotos: typeof english.keptPhotos = {
  removal: (photos, count, date) =>
    photos < 2 ? `${count} photo sera supprimée le ${date}.` : `${count} photos seront supprimées le ${date}.`,
  reason: (photos, size, storage) =>
    photos < 2
      ? `Votre photo la plus ancienne (${size}) ne tient plus dans vos ${storage} de stockage. Pour la garder, choisissez une formule supérieure ou supprimez d’autres photos. Vous pouvez aussi tout télécharger plus bas, sous Vos données.`
      : `Les plus anciennes (${size}) ne tiennent plus dans vos ${storage} de stockage. Pour les garder, choisissez une formule supérieure ou supprimez d’autres photos. Vous pouvez aussi tout télécharger plus bas, sous Vos données.`,
  removed: (photos, count) => (photos < 2 ? `${count} photo a été supprimée.` : `${count} photos ont été supprimées.`),
  restorable: (photos, size, date) =>
    photos < 2
      ? `Elle (${size}) ne tenait plus dans votre espace de stockage. Jusqu’au ${date}, vous pouvez la récupérer : elle revient d’elle-même avec une formule supérieure, ou ici dès qu’il y a de la place.`
      : `Elles (${size}) ne tenaient plus dans votre espace de stockage. Jusqu’au ${date}, vous pouvez les récupérer : elles reviennent d’elles-mêmes avec une formule supérieure, ou ici dès qu’il y a de la place.`,
  gallery: 'Ouvrir la galerie',
  settings: 'Que faire ?',
  restore: (photos) => (photos < 2 ? 'Récupérer la photo' : 'Récupérer les photos'),
  restored: (photos, count) => (photos < 2 ? `${count} photo est revenue.` : `${count} photos sont revenues.`),
  remaining: (photos, count) =>
    photos < 2 ? `${count} photo ne tient toujours pas.` : `${count} photos ne tiennent toujours pas.`,
  failed: (photos) =>
    photos < 2
      ? 'La photo n’a pas pu être récupérée. Veuillez réessayer.'
      : 'Les photos n’ont pas pu être récupérées. Veuillez réessayer.',
}

export const subscription: typeof english.subscription = {
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
  withdraw: {
    heading: 'Droit de rétractation',
    hint: (date) => `Vous pouvez vous rétracter de ce contrat sans motif jusqu’au ${date} inclus.`,
    open: 'Renoncer au contrat',
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

export const usage: typeof english.usage = {
  heading: 'Utilisation ce mois-ci',
  photos: 'Photos',
  storage: 'Stockage',
  of: (used, most) => `${used} sur ${most}`,
  photosLeft: (percent, left, until) => `${percent}, encore ${left} jusqu’au ${until}`,
  storageLeft: (percent, left) => `${percent}, encore ${left}`,
  counting:
    'Les photos comptent à partir du 1er du mois (UTC). Celles que vous supprimez comptent aussi, celles qui échouent non.',
  yourPlan: (plan) => `Votre formule est ${plan}.`,
  planUnknown:
    'Nous ne pouvons pas dire pour le moment ce que comprend votre formule. Cela s’affichera ici dès que possible.',
  left: (left, most, until) =>
    `Encore ${left} ${left === '0' || left === '1' ? 'photo' : 'photos'} sur ${most} jusqu’au ${until}.`,
  monthNear: (used, left, until) => `Photos du mois : ${used} utilisées, encore ${left} jusqu’au ${until}.`,
  monthFull: (most, until) =>
    `Vos ${most} photos du mois sont utilisées. Les suivantes attendent dans la file d’envoi et partiront d’elles-mêmes le ${until}, ou avec une formule supérieure.`,
  storageNear: (used, left) => `Stockage : ${used} utilisés, encore ${left}.`,
  storageFull: (size) =>
    `Votre espace de ${size} est plein. Les photos qui ne tiennent plus attendent dans la file d’envoi et partiront d’elles-mêmes dès que vous en supprimerez d’autres, ou avec une formule supérieure.`,
  plans: 'Voir les formules',
  gallery: 'Ouvrir la galerie',
  subscription: 'Voir l’utilisation',
  hide: 'Masquer jusqu’à 90 %',
}

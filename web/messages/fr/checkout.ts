import type { checkout as english } from '../en/checkout.ts'

/** The pages after a checkout. */
export const checkout: typeof english = {
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

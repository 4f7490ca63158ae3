import type { demoCheckout as english } from '../en/demo-checkout.ts'

/** The page of demo payments. */
export const demoCheckout: typeof english = {
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

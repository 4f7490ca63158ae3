import { billingLimits } from '@keepsnap/contract/limits.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import type * as english from '../en/pricing.ts'

const largestFiles = Array.from(new Set(planIds.map((id) => plans[id].features.max_file_size_mb)))

export const claims: typeof english.claims = {
  title: 'Tarifs',
  lead: 'Chaque formule comprend des codes QR illimités, sans frais de mise en service. Changez ou résiliez à tout moment.',
  guarantee: `Satisfait ou remboursé pendant ${billingLimits.refundDays} jours. Les photos sont conservées ${billingLimits.keepDays} jours après la fin de votre formule.`,
  api: (plan) => `L’accès à l’API est compris dans ${plan}.`,
  apiDocumentation: 'Lire la documentation de l’API',
  heading: 'Questions et réponses',
  questions: [
    {
      question: 'Les invités ont-ils besoin d’une appli ou d’un compte ?',
      answer: 'Non. L’appareil photo du téléphone lit le code et la photo s’ouvre dans le navigateur.',
    },
    {
      question: 'Le nombre de codes QR est-il limité ?',
      answer:
        'Non, ils sont illimités. Chaque photo en a deux, l’un pour la télécharger, l’autre pour la demander par e-mail, et on peut les scanner autant de fois qu’on veut.',
    },
    {
      question: 'Y a-t-il des frais de mise en service ?',
      answer: 'Non. Vous payez le prix de la formule, et rien d’autre.',
    },
    {
      question: 'Que se passe-t-il quand j’atteins ma limite du mois ?',
      answer:
        'Les photos suivantes attendent dans la file d’envoi jusqu’à ce que vous choisissiez une formule supérieure ou que le mois suivant commence. Les photos déjà en ligne y restent et leurs codes continuent de fonctionner.',
    },
    {
      question: 'Puis-je passer du mensuel à l’annuel et inversement ?',
      answer:
        'Oui, à tout moment, ici ou dans les paramètres. Ce qui reste de la période déjà payée est déduit du nouveau prix.',
    },
    {
      question: 'Puis-je me faire rembourser ?',
      answer: `Oui, la garantie « satisfait ou remboursé » dure ${billingLimits.refundDays} jours : dans les ${billingLimits.refundDays} jours suivant votre premier paiement, vous récupérez tout ce que vous avez payé. Demandez-le dans les paramètres ; votre formule prend alors fin immédiatement. Cette garantie vaut une fois par client.`,
    },
    {
      question: 'Que deviennent mes photos si je résilie ?',
      answer: `Votre formule court jusqu’à la fin de la période payée. Vos photos sont ensuite conservées ${billingLimits.keepDays} jours. Passé ce délai, les plus anciennes sont supprimées jusqu’à ce que le reste tienne dans l’espace de la formule gratuite. Nous vous prévenons trois fois par e-mail avant, et vous avez encore ${billingLimits.undoRemovalDays} jours pour annuler cette suppression.`,
    },
    {
      question: 'Le service est-il fiable ?',
      answer:
        'L’objectif est une disponibilité de 99,9 % : au plus 44 minutes environ par mois pendant lesquelles les pages et les codes sont inaccessibles. C’est ce que vise l’exploitant du site ; ce n’est pas une garantie assortie d’un dédommagement.',
    },
    {
      question: 'Quelles photos puis-je ajouter ?',
      answer: `JPG, PNG, GIF, WebP, AVIF, TIFF et HEIC : ${largestFiles[0]} Mo par fichier avec la formule gratuite, ${largestFiles.at(-1)} Mo avec Pro. Les photos HDR sont enregistrées sans leur surcroît de luminosité.`,
    },
  ],
}

export const pricing: typeof english.pricing = {
  heading: 'Commencez gratuitement. Voyez plus grand quand votre agenda se remplit.',
  cycle: 'Période de facturation',
  cycles: { month: 'Mensuel', year: 'Annuel' },
  save: (percent) => `${percent} % d’économie`,
  marked: { month: 'Sans engagement', year: 'Meilleure offre' },
  names: { free: plans.free.name, pro_monthly: plans.pro_monthly.name, pro_yearly: plans.pro_yearly.name },
  forever: 'pour toujours',
  noCard: 'Sans carte bancaire',
  vat: 'Tous les prix comprennent la TVA lorsqu’elle est due.',
  perMonth: 'par mois',
  perYear: 'par an',
  perInterval: (amount, per) => `${amount} ${per}`,
  paidMonthly: 'Payé chaque mois, sans engagement',
  aboutPerMonth: (price, saving) => `environ ${price} par mois, ${saving}`,
  inAYear: (price) => `${price} sur un an`,
  photos: (count) => `${count} photos par mois`,
  storage: (gigabytes) => `${gigabytes} Go de stockage`,
  files: (megabytes) => `Fichiers jusqu’à ${megabytes} Mo`,
  bothCodes: 'Les deux codes QR sur chaque photo',
  branding: 'Votre logo, votre image de fond et votre filigrane',
  brandingShort: 'Votre logo et votre filigrane',
  analytics: 'Statistiques et assistance prioritaire',
  api: 'API pour borne et appareil photo',
  apiShort: 'Accès à l’API',
  notIncluded: 'Non compris : ',
  getStarted: 'Commencer',
  startsFree: 'Chaque compte commence avec la formule gratuite.',
  choose: (plan) => `Choisir ${plan}`,
  changePlan: 'Changer de formule',
  yourPlan: 'Votre formule',
  endsOn: (date) => `Se termine le ${date}`,
  complimentary: 'Offerte',
  complimentaryUntil: (date) => `Offerte jusqu’au ${date}`,
  paidUntil: (date) => `Payée jusqu’au ${date}. Une formule offerte plus avantageuse s’applique actuellement.`,
  notSold: 'Ce site ne vend pas de formules.',
  paused: 'Ce site ne peut pas accepter de paiements pour le moment. Veuillez réessayer plus tard.',
  pending: 'Votre paiement est en cours. Votre formule commence dès son arrivée.',
  payFirst: 'Il manque un paiement. Dès qu’il est effectué, vous pouvez changer de formule.',
  toSettings: 'Ouvrir les paramètres',
  plansFailed: 'Achat impossible pour le moment : la liste des formules n’a pas pu être chargée.',
  statusFailed: 'Impossible de charger l’état de l’abonnement',
  checkoutFailed: 'La page de paiement n’a pas pu s’ouvrir. Veuillez réessayer.',
  chosen: (plan, price) => `Vous avez choisi ${plan}, ${price}.`,
  toPayment: 'Passer au paiement',
  freeNow: {
    title: (plan) => `Payer ${plan} dès maintenant ?`,
    question: (date) =>
      `Votre formule offerte court jusqu’au ${date} et comprend au moins autant. Vous paieriez dès aujourd’hui, sans rien y gagner avant cette date.`,
  },
}

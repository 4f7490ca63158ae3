import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import type { supportQuestions as english } from '../en/support-questions.ts'

export const supportQuestions: typeof english = {
  event: {
    heading: 'Pendant l’événement',
    questions: {
      connection: {
        question: 'L’écran a perdu la connexion. Que faire ?',
        answer:
          'Laissez la page Grand écran ouverte. La dernière photo et son code restent affichés, et la connexion revient d’elle-même. Les photos que vous envoyez entre-temps attendent dans la file d’envoi. Si cela dure plus d’une minute, vérifiez le réseau de l’ordinateur : les réseaux pour invités demandent souvent de se reconnecter après un certain temps.',
      },
      scan: {
        question: 'Les invités scannent le code, mais rien ne s’ouvre',
        answer:
          'Leur téléphone a besoin d’une connexion qui permet d’atteindre ce site. Dans Paramètres, « Tout prêt pour ce soir ? » affiche un code de test que vous pouvez scanner vous-même. Veillez à ce qu’aucune lampe ne se reflète dans l’écran et que rien ne couvre le bord blanc autour du code.',
      },
      screens: {
        question: 'Puis-je montrer les photos sur plusieurs écrans ?',
        answer:
          'Oui. Connectez-vous sur chacun et ouvrez Grand écran : tous affichent une nouvelle photo dès qu’elle est prête.',
      },
      awake: {
        question: 'Comment garder l’écran allumé ?',
        answer:
          'Tant que la page Grand écran est ouverte, l’écran de l’ordinateur reste allumé. Les téléviseurs et les projecteurs ont parfois leur propre minuterie de veille : désactivez-la avant la soirée.',
      },
    },
  },
  photos: {
    heading: 'Photos et invités',
    questions: {
      email: {
        question: 'L’e-mail d’un invité n’est pas arrivé',
        answer:
          'La page Demandes de photos indique ce qu’est devenu chaque e-mail. Le plus souvent, il est dans les courriers indésirables, ou l’adresse contient une faute de frappe : l’invité peut alors scanner le code à nouveau. Un e-mail qui a échoué peut être renvoyé depuis cette page.',
      },
      link: {
        question: 'Combien de temps le lien de l’e-mail fonctionne-t-il ?',
        answer: `${limits.grantHours} heures, pour cette seule photo et aussi souvent que l’invité le souhaite. Ensuite, l’invité peut scanner le code à nouveau.`,
      },
      remove: {
        question: 'Quelqu’un veut faire retirer sa photo',
        answer:
          'Ouvrez la photo dans la Galerie, puis masquez-la ou supprimez-la. Dès ce moment, les invités ne peuvent plus l’ouvrir, ni avec ses codes ni avec les liens des e-mails. Les invités peuvent aussi signaler une photo sur sa page : vous recevez un e-mail et vous décidez.',
      },
      addresses: {
        question: 'Que deviennent les adresses e-mail des invités ?',
        answer: `Elles servent à envoyer la photo demandée, et à rien d’autre. Vous les voyez dans Demandes de photos. Elles sont supprimées après ${limits.requestDays} jours.`,
      },
    },
  },
  account: {
    heading: 'Votre compte',
    questions: {
      password: {
        question: 'J’ai oublié mon mot de passe',
        answer: `Choisissez « Mot de passe oublié ? » sur la page de connexion. Nous vous envoyons un lien pour en définir un nouveau. Il fonctionne pendant ${accountLimits.resetMinutes} minutes.`,
      },
      data: {
        question: 'Comment télécharger mes données ou supprimer mon compte ?',
        answer: `Les deux se font dans Paramètres. Nous vous envoyons un lien vers un seul fichier avec tout le contenu de votre compte ; il fonctionne pendant ${accountLimits.exportDays} jours. Un compte supprimé ne peut pas être rétabli : vos photos disparaissent et les codes imprimés ne fonctionnent plus.`,
      },
    },
  },
  plans: { heading: 'Formules et paiement' },
}

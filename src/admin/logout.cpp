#include "admin/cookies.h"
#include "admin/routes.h"

namespace reef::admin {

Task<Answer> signOut(PanelParts& parts, Visit& visit) {
    parts.sessions.end(visit.sessionId);
    Answer answer = redirectTo("/login");
    answer.cookies.push_back(removeCookie(kSessionCookie, visit.request.endpoints->secure));
    co_return answer;
}

} // namespace reef::admin

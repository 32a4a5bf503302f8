#pragma once

#include "admin/answer.h"
#include "admin/panel_parts.h"

#include <string>
#include <string_view>

namespace reef::admin {

// What the pages that ask for a name and a password have in common.

/// A notice above a form; empty text: none.
Html notice(std::string_view text);

/// The field for the name, filled with what was typed before.
Html nameField(std::string_view typed);

/// Begins a session for the account and goes to the start page; a session that the browser had
/// before ends.
Answer enter(PanelParts& parts, Visit& visit, const Account& account);

/// The panel cannot tell who may enter: nobody may.
Answer lockedAnswer(const PanelParts& parts, const AccountsError& error);

/// Too many passwords are being checked already.
Answer busyAnswer(const PanelParts& parts);

/// The client's address for the log.
std::string_view clientOf(const Visit& visit);

} // namespace reef::admin

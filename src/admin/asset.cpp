#include "admin/frame.h"
#include "admin/routes.h"

namespace reef::admin {

Task<Answer> sendAsset(PanelParts& parts, Visit& visit) {
    const auto file = parts.assets.at(visit.request.rawPath);
    if (!file)
        co_return errorAnswer(parts.assets, 404, "Nothing here",
                              "The panel has no file at this address.");
    Answer answer;
    answer.asset = file->bytes;
    answer.assetType = file->type;
    co_return answer;
}

} // namespace reef::admin

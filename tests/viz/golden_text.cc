// SPDX-License-Identifier: Apache-2.0
//
// Golden files of pictures. See golden_text.h.
#include "tests/viz/golden_text.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace klab::viz {

void expect_golden(const std::string& name, const std::string& text) {
    const std::string path = std::string(KLAB_SOURCE_DIR) + "/tests/viz/golden/" + name;
    const char* rewrite = std::getenv("KLAB_REWRITE");
    if (rewrite != nullptr && std::string(rewrite) == "1") {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file.good()) << "no golden file " << path << "; KLAB_REWRITE=1 writes it";
    std::stringstream wanted;
    wanted << file.rdbuf();
    EXPECT_EQ(wanted.str(), text) << name << " changed; KLAB_REWRITE=1 rewrites it";
}

}  // namespace klab::viz

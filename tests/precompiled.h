// What most tests include, precompiled (see engine/precompiled.h).
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/precompiled.h"
